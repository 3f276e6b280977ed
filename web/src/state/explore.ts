// What books, records and databases know about the position on the board, for the table and the board.
import { computed, effect, signal } from '@preact/signals';
import { api, online } from '../api/client';
import type { ExploreAnswer, ExploreMove, Side, Source } from '../api/types';
import { page } from './navigation';
import { details, kind, known, line, lineKey } from './session';
import { oneOf, stored } from './settings';

export const source = stored<Source>('source', 'book', oneOf('book', 'records', 'database'));
export const part = stored<'whole' | 'corner'>('part', 'whole', oneOf('whole', 'corner'));
/** The last answer and the line that it is about; it stays while the next one is under way. */
export const answer = signal<{ key: string; found: ExploreAnswer } | null>(null);
export const failed = signal<string | null>(null);

/** Where one can look for this game. */
export const available = computed<Source[]>(() => {
  const can = details.value?.can;
  return [...(can?.book ? ['book' as const] : []), ...(can?.explore ? ['records' as const] : []), ...(can?.database ? ['database' as const] : [])];
});

export const chosen = computed<Source | undefined>(() => (available.value.includes(source.value) ? source.value : available.value[0]));

/** What is known about the very position on the board. */
export const current = computed(() => {
  const a = answer.value;
  return page.value === 'explore' && a?.key === lineKey(line.value) && a.found.source === chosen.value ? a.found : null;
});

/** How often each move was played, 0…1. */
export function shares(moves: ExploreMove[]): Map<string, number> {
  const total = moves.reduce((sum, m) => sum + (m.count ?? 0), 0);
  return new Map(moves.map((m) => [m.move, m.share ?? (total ? (m.count ?? 0) / total : 0)]));
}

export function followExplore(): void {
  let control: AbortController | null = null;
  effect(() => {
    const [wanted, from, how] = [line.value, chosen.value, part.value];
    control?.abort();
    if (page.value !== 'explore' || details.value?.spec !== wanted.game || !online.value) return;
    failed.value = null;
    if (!from) { answer.value = null; return; }
    const mine = (control = new AbortController());
    const mover = (known(wanted)?.to_move ?? wanted.moves.length % 2) as Side;
    api.explore(wanted, from, kind.value === 'go' && from === 'records' ? how : undefined, mover, mine.signal).then(
      (found) => { if (!mine.signal.aborted) answer.value = { key: lineKey(wanted), found }; },
      (error: unknown) => {
        if (mine.signal.aborted) return;
        answer.value = null;
        failed.value = error instanceof Error ? error.message : String(error);
      },
    );
  });
}
