// What a person has chosen, kept in the browser from visit to visit.
import { effect, signal, type Signal } from '@preact/signals';

/**
 * A signal that remembers; `check` keeps out what an older page has left behind. What belongs to a tab is remembered
 * there, so that two tabs do not disturb each other; a new tab begins with what was last on any of them.
 */
export function stored<T>(name: string, initial: T, check: (value: unknown) => value is T, ofTab = false): Signal<T> {
  const value = signal<T>((ofTab ? read(sessionStorage, name, check) : null) ?? read(localStorage, name, check) ?? initial);
  let timer = 0;
  const write = (): void => {
    window.clearTimeout(timer);
    timer = 0;
    try {
      const text = JSON.stringify(value.peek());
      if (ofTab) sessionStorage.setItem(`zug.${name}`, text);
      localStorage.setItem(`zug.${name}`, text);
    } catch {
      // Full or forbidden: the page works, it only forgets.
    }
  };
  // A large tree takes a while to write; whoever leafs through it should not feel that.
  effect(() => {
    void value.value;
    if (!timer) timer = window.setTimeout(write, 300);
  });
  window.addEventListener('pagehide', () => { if (timer) write(); });
  return value;
}

function read<T>(storage: Storage, name: string, check: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(storage.getItem(`zug.${name}`) ?? 'null');
    return check(value) ? value : null;
  } catch {
    return null;
  }
}

const isBoolean = (v: unknown): v is boolean => typeof v === 'boolean';
export const oneOf = <T extends string>(...all: T[]) => (v: unknown): v is T => all.includes(v as T);
export const isNumber = (low: number, high: number) => (v: unknown): v is number =>
  typeof v === 'number' && v >= low && v <= high;

export type Theme = 'auto' | 'light' | 'dark';
export const theme = stored<Theme>('theme', 'auto', oneOf('auto', 'light', 'dark'));
export const sound = stored('sound', false, isBoolean);
export const coordinates = stored('coordinates', true, isBoolean);
export const hints = stored('hints', true, isBoolean);
/** Numbers on the stones of games that are told by them. */
export const numbered = stored('numbered', false, isBoolean);
export const flipped = stored('flipped', false, isBoolean);

/** Live analysis: on or off, how many lines, every move on the board, the likely moves. */
export const liveOn = stored('live', false, isBoolean);
export const liveLines = stored('lines', 3, isNumber(1, 9));
export const liveAll = stored('all', false, isBoolean);
export const heatOn = stored('heat', false, isBoolean);
/** Values for whoever is to move, or always for the first side. */
export const absolute = stored('absolute', false, isBoolean);
