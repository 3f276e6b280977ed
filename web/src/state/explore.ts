// What books, records and databases know about the position on the board, for the table and the board.
import { computed, effect, signal } from '@preact/signals';
import { api, online } from '../api/client';
import type { ExploreAnswer, ExploreFilter, ExploreMove, RecordNode, Side, Source } from '../api/types';
import { complain } from './messages';
import { open, page } from './navigation';
import { match } from './play';
import { details, kind, known, line, lineKey, newTable, prefetch, table, view } from './session';
import { oneOf, stored } from './settings';
import * as t from './tree';

export const source = stored<Source>('source', 'book', oneOf('book', 'records', 'database'));
export const PARTS = ['whole', 'top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export const part = stored<(typeof PARTS)[number]>('part', 'whole', oneOf(...PARTS));
/** Which games of the records count: a player, the first year, the last. */
export const player = signal('');
/** Which games are named: those of the strongest players, or the latest. */
export const latest = signal(false);
export const years = signal<{ from?: number; until?: number }>({});
/** The last answer and the line that it is about; it stays while the next one is under way. */
export const answer = signal<{ key: string; found: ExploreAnswer } | null>(null);
export const failed = signal<string | null>(null);

/** Endings of more are not solved. */
const FEW_MEN = 4;
const men = computed(() => view.value?.picture.cells.filter((c) => typeof c.owner === 'number').length ?? Infinity);

/** Where one can look for this game. */
export const available = computed<Source[]>(() => {
  const can = details.value?.can;
  const solved = can?.database || (can?.endings && men.value <= FEW_MEN);
  return [...(can?.book ? ['book' as const] : []), ...(can?.explore ? ['records' as const] : []), ...(solved ? ['database' as const] : [])];
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

/** Only Go looks at parts of the board. */
const filter = computed<ExploreFilter>(() => ({
  ...(kind.value === 'go' ? { part: part.value } : {}), ...(player.value.trim() ? { player: player.value.trim() } : {}), ...(latest.value ? { latest: true } : {}), ...years.value,
}));

/** Puts a whole game of the records on the table, at the position that was asked about, and shows it. */
export async function openGame(number: number, ply: number): Promise<void> {
  const spec = table.value.spec;
  try {
    const game = await api.collected(spec, number);
    const tree = t.fromRecord([{}, ...game.moves.map((move, i): RecordNode => ({ parent: i, move, text: game.texts[i] ?? move }))]);
    match.value = null;
    // A game of Go brings its own komi and handicap.
    newTable(game.game, game.start, tree, Math.min(ply, game.moves.length), game.tags, game.known ? (game.winner === null ? 'draw' : String(game.winner)) : null);
    open('analyse');
    await prefetch({ game: game.game, start: game.start, moves: game.moves });
  } catch (error) {
    complain(error);
  }
}

export function followExplore(): void {
  // Players and years of one game mean nothing in another.
  const family = computed(() => table.value.spec.split(':')[0]);
  effect(() => {
    void family.value;
    player.value = '';
    years.value = {};
  });
  let control: AbortController | null = null;
  effect(() => {
    const [wanted, from, how] = [line.value, chosen.value, filter.value];
    control?.abort();
    if (page.value !== 'explore' || details.value?.spec !== wanted.game || !online.value) return;
    failed.value = null;
    if (!from) { answer.value = null; return; }
    const mine = (control = new AbortController());
    const mover = (known(wanted)?.to_move ?? wanted.moves.length % 2) as Side;
    api.explore(wanted, from, from === 'records' ? how : {}, mover, mine.signal).then(
      (found) => { if (!mine.signal.aborted) answer.value = { key: lineKey(wanted), found }; },
      (error: unknown) => {
        if (mine.signal.aborted) return;
        answer.value = null;
        failed.value = error instanceof Error ? error.message : String(error);
      },
    );
  });
}
