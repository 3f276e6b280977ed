// Short messages for the person, and what a screen reader says aloud.
import { signal } from '@preact/signals';
import { ApiError } from '../api/client';

export interface Message {
  id: number;
  kind: 'error' | 'note';
  text: string;
  /** What a button beside it does. */
  action?: { label: string; run(): void };
}

export const messages = signal<Message[]>([]);
export const spoken = signal('');

let next = 1;

export function tell(text: string, kind: Message['kind'] = 'note', action?: Message['action']): void {
  const id = next++;
  // The same thing twice says no more than once.
  messages.value = [...messages.value.filter((m) => m.text !== text), { id, kind, text, ...(action ? { action } : {}) }].slice(-3);
  if (kind === 'note') window.setTimeout(() => dismiss(id), action ? 10_000 : 4000);
}

export function dismiss(id: number): void {
  messages.value = messages.value.filter((m) => m.id !== id);
}

/** The sentence of an error without the places that only a program looks for. */
export function plainly(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^in the game '[^']*' \([^)]*\): /, '').replace(/^byte \d+: /, '');
}

/** Shows an error, unless it was ours (a request given up) or the banner says it already. */
export function complain(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  if (error instanceof ApiError && error.status === 0) return;
  if (error instanceof ApiError) tell(error.where && error.where !== 'game' ? `${plainly(error)} (${error.where})` : plainly(error), 'error');
  else tell(error instanceof Error ? error.message : String(error), 'error');
}

export function say(text: string): void {
  spoken.value = text;
}
