// Live analysis of the position on the board: a stream that is stopped and started as one goes on.
import { computed, effect, signal, untracked } from '@preact/signals';
import { api, online } from '../api/client';
import type { GuessAnswer, Info, Side, View } from '../api/types';
import { complain } from './messages';
import { page } from './navigation';
import { details, line, lineKey, settled, view } from './session';
import { heatOn, liveAll, liveLines, liveOn } from './settings';

export interface Analysis {
  key: string;
  depth: number;
  nodes: number;
  elapsed: number;
  lines: Info[];
  state: 'asking' | 'waiting' | 'running' | 'done';
  /** How many are before us while we wait. */
  ahead: number;
  reason: string;
}

const found = new Map<string, Analysis>();
export const analysis = signal<Analysis | null>(null);
export const guess = signal<(GuessAnswer & { key: string }) | null>(null);

/** What is known about the position on the board now. */
export const current = computed(() => (analysis.value?.key === lineKey(line.value) ? analysis.value : null));

/** What the policy finds likely in the position on the board. */
export const likely = computed<ReadonlyMap<string, number> | undefined>(() => {
  const g = guess.value;
  if (!heatOn.value || g?.key !== lineKey(line.value)) return undefined;
  return new Map(g.moves.map(({ move, probability }) => [move, probability]));
});

export function followLive(): void {
  let control: AbortController | null = null;
  let timer = 0;
  effect(() => {
    const [wanted, on, lines, all] = [line.value, liveOn.value, liveLines.value, liveAll.value];
    const ready = page.value === 'analyse' && details.value?.spec === wanted.game && online.value;
    const over = settled.value && !!view.value?.outcome;
    const key = lineKey(wanted);
    control?.abort();
    window.clearTimeout(timer);
    untracked(() => {
      analysis.value = found.get(key) ?? null;
      if (!on || !ready || over) {
        if (analysis.value && analysis.value.state !== 'done') analysis.value = { ...analysis.value, state: 'done', reason: 'stopped' };
        return;
      }
      const mine = (control = new AbortController());
      // Whoever leafs through a game quickly asks only about where they stay.
      timer = window.setTimeout(() => void listen(key, mine, lines, all), 150);
    });
  });

  let guessing: AbortController | null = null;
  effect(() => {
    const wanted = line.value;
    guessing?.abort();
    if (!heatOn.value || page.value !== 'analyse' || details.value?.spec !== wanted.game || !details.value.can.guess || !online.value) return;
    const mine = (guessing = new AbortController());
    api.guess(wanted, 20, mine.signal).then(
      (answer) => { if (!mine.signal.aborted) guess.value = { ...answer, key: lineKey(wanted) }; },
      (error: unknown) => { if (!mine.signal.aborted) complain(error); },
    );
  });
}

async function listen(key: string, control: AbortController, lines: number, all: boolean): Promise<void> {
  const before = found.get(key);
  const set = (part: Partial<Analysis>): void => {
    if (control.signal.aborted) return;
    const was = analysis.value?.key === key ? analysis.value : before;
    const next: Analysis = { key, depth: 0, nodes: 0, elapsed: 0, lines: [], ahead: 0, reason: '', state: 'asking', ...was, ...part };
    if (found.size > 500) found.clear();
    found.set(key, next);
    analysis.value = next;
  };
  set({ state: 'asking' });
  // Shallow lines of a fresh search must not push out the deeper ones of an earlier visit.
  const deepest = before?.lines.length ? before.depth : 0;
  try {
    await api.analyse({ line: line.value, lines, all }, control.signal, {
      lines: (e) => {
        if (e.depth < deepest && !e.finished && (before?.lines.length ?? 0) >= e.lines.length) set({ state: 'running' });
        else set({ state: 'running', depth: e.depth, nodes: e.nodes, elapsed: e.elapsed_ms, lines: e.lines });
      },
      wait: (ahead) => set({ state: 'waiting', ahead }),
      end: (reason) => set({ state: 'done', reason }),
    });
    set({ state: 'done' });
  } catch (error) {
    if (control.signal.aborted) return;
    set({ state: 'done', reason: 'error' });
    complain(error);
  }
}

/** The chance of whoever is to move, 0…1, from that of the first side. */
export const chanceFor = (side: Side, chance: number): number => (side === 0 ? chance : 1 - chance);

/** A value's text as the person wants it: of whoever is to move, or of the first side. */
export function valueText(text: string, v: Pick<View, 'to_move'>, fixed: boolean): string {
  if (!fixed || v.to_move === 0) return text;
  if (text.startsWith('+')) return `−${text.slice(1)}`;
  if (text.startsWith('-') || text.startsWith('−')) return `+${text.slice(1)}`;
  return text;
}
