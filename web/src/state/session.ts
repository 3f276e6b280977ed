// The game on the table: which game, its tree of moves, where we look, and the view of that position.
// Play, Analyse and Explore all look at this one.
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { ApiError, api, online, visits } from '../api/client';
import type { GameDetails, GameSummary, Line, Outcome, View } from '../api/types';
import { complain, say, tell } from './messages';
import { stored } from './settings';
import { click } from './sound';
import * as t from './tree';

interface Table {
  spec: string;
  start: string | null;
  tree: t.Tree;
  at: number;
  tags: Record<string, string>;
  /** The result that a file stated, as the server writes it. */
  result?: string;
}

function isTable(value: unknown): value is Table {
  const table = value as Table | null;
  return !!table && typeof table.spec === 'string' && (table.start === null || typeof table.start === 'string') &&
    t.isTree(table.tree) && t.exists(table.tree, table.at) && typeof table.tags === 'object' && table.tags !== null;
}

export const table = stored<Table>('table', { spec: 'othello', start: null, tree: t.emptyTree(), at: t.ROOT, tags: {} }, isTable, true);

export const version = signal('');
export const games = signal<GameSummary[]>([]);
export const details = signal<GameDetails | null>(null);
export const view = signal<View | null>(null);

export const moves = computed(() => t.moves(table.value.tree, table.value.at));
const key = computed(() => lineKey({ game: table.value.spec, start: table.value.start, moves: moves.value }));
/** The same object as long as it is the same line: a comment that is typed must not start an analysis anew. */
export const line = computed<Line>(() => {
  void key.value;
  return untracked(() => ({ game: table.value.spec, start: table.value.start, moves: moves.value }));
});
export const kind = computed(() => details.value?.kind ?? 'grid');

/** A text that is the same exactly for the same line. */
export const lineKey = (l: Line): string => `${l.game}|${l.start ?? ''}|${l.moves.join(' ')}`;

/** The line that the view is of: while an answer is under way, the board still shows the position before. */
const shown = signal('');
export const settled = computed(() => shown.value === key.value && view.value !== null);

/** Views by line, so that going back and forth asks nobody. */
const seen = new Map<string, View>();

function remember(l: Line, v: View): void {
  if (seen.size > 3000) seen.clear();
  const key = lineKey(l);
  // A view without its legal moves must not displace one that has them.
  if (v.legal || !seen.get(key)?.legal) seen.set(key, v);
}

export const known = (l: Line): View | undefined => seen.get(lineKey(l));

let loading: AbortController | null = null;

/** Shows the position of the line; what is known already appears at once. */
async function show(l: Line): Promise<void> {
  loading?.abort();
  const have = seen.get(lineKey(l));
  if (have) put(l, have);
  if (have?.legal) return;
  const control = (loading = new AbortController());
  try {
    const fresh = await api.view(l, control.signal);
    remember(l, fresh);
    if (!control.signal.aborted) put(l, fresh);
  } catch (error) {
    if (control.signal.aborted) return;
    complain(error);
    // The moves do not fit the game (an old storage, a broken link): better an empty board than none.
    if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) rescue(l);
  }
}

function put(l: Line, next: View): void {
  const before = view.peek();
  batch(() => {
    view.value = next;
    shown.value = lineKey(l);
    name(next);
  });
  if (!before || before.game !== next.game || before.moves.length >= next.moves.length) return;
  click(next.outcome ? 'end' : 'move');
  const last = next.texts.at(-1);
  if (last) say(`${next.sides[next.to_move === 0 ? 1 : 0]}: ${last}. ${next.outcome ? outcomeText(next) : ''}`);
}

/** Views know how moves are written for people. */
function name(v: View): void {
  const { tree, at } = table.peek();
  if (v.texts.length !== moves.peek().length) return;
  const named = t.setTexts(tree, at, v.texts);
  if (named !== tree) table.value = { ...table.peek(), tree: named };
}

/** A legal move of the position on the board as people write it. */
export const textOf = (move: string): string => view.value?.legal?.find((m) => m.move === move)?.text ?? move;

function rescue(l: Line): void {
  if (l.moves.length > 0 || l.start !== null) table.value = { ...table.value, start: null, tree: t.emptyTree(), at: t.ROOT, tags: {} };
}

/** The position on the board as it is counted, where dead stones have to be taken off first. */
export const counted = signal<{ key: string; outcome: Outcome; dead: number[] } | null>(null);

/** How the game on the board has ended. */
export const ending = computed<Outcome | null>(() => {
  if (!settled.value || !view.value?.outcome) return null;
  return counted.value?.key === key.value ? counted.value.outcome : view.value.outcome;
});

function followCount(): void {
  let control: AbortController | null = null;
  effect(() => {
    const wanted = line.value;
    control?.abort();
    if (!settled.value || !view.value?.outcome || !details.value?.can.settle || counted.peek()?.key === key.value) return;
    const mine = (control = new AbortController());
    api.settle(wanted, mine.signal).then(
      (found) => { if (!mine.signal.aborted) counted.value = { key: lineKey(wanted), ...found }; },
      (error: unknown) => { if (!mine.signal.aborted) complain(error); },
    );
  });
}

export function outcomeText(v: View): string {
  const outcome = v === view.value ? (ending.value ?? v.outcome) : v.outcome;
  if (!outcome) return '';
  const { winner, reason, margin } = outcome;
  const head = winner === null ? 'Draw' : `${capital(v.sides[winner])} wins`;
  return `${head}${margin ? ` by ${margin}` : ''}${reason ? `, ${reason}` : ''}`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The last game that the server knew: where a wrong variant leads back to. */
let sound = 'othello';

/** Starts following the table; called once. */
export function follow(): void {
  followCount();
  const spec = computed(() => table.value.spec);
  effect(() => {
    const wanted = spec.value;
    void visits.value;
    if (untracked(() => details.value?.spec) === wanted) return;
    api.game(wanted).then(
      (found) => {
        if (table.peek().spec !== wanted) return;
        remember({ game: wanted, start: null, moves: [] }, found.view);
        // The server may have a shorter name for it; ours is the one in the address.
        details.value = { ...found, spec: wanted };
        sound = wanted;
      },
      (error: unknown) => {
        complain(error);
        if (error instanceof ApiError && error.status >= 400 && error.status < 500 && wanted !== sound) newTable(sound);
      },
    );
  });
  effect(() => {
    const wanted = line.value;
    void visits.value;
    untracked(() => void show(wanted));
  });
  effect(() => {
    void visits.value;
    if (untracked(() => games.value.length > 0) || !online.value) return;
    api.games().then((answer) => { games.value = answer.games; version.value = answer.version; }, complain);
  });
}

// ---- what a person does ----

export function newTable(
  spec: string, start: string | null = null, tree: t.Tree = t.emptyTree(), at: number = t.ROOT, tags: Record<string, string> = {}, result?: string | null,
): void {
  batch(() => {
    if (spec !== table.value.spec) { details.value = null; view.value = null; }
    table.value = { spec, start, tree, at, tags, ...(result ? { result } : {}) };
  });
}

/** Tables as they were before somebody cut or replaced them, the latest last. */
const before: Table[] = [];

/** Remembers the table before something on it is lost; whoever did not mean it gets it back. */
export function keepTable(said: string): void {
  const { tree } = table.value;
  if (t.node(tree, t.ROOT).children.length === 0) return;
  before.push(table.value);
  if (before.length > 20) before.shift();
  tell(said, 'note', { label: 'Undo', run: () => void bringBack() });
}

/** The table as it was before the last cut; false if there was none. */
export function bringBack(): boolean {
  const last = before.pop();
  if (!last) return false;
  batch(() => {
    if (last.spec !== table.value.spec) { details.value = null; view.value = null; }
    table.value = last;
  });
  return true;
}

/** Plays at the current node and goes there. */
export function playMove(move: string, text: string = textOf(move)): number {
  const { tree, id } = t.play(table.value.tree, table.value.at, move, text);
  table.value = { ...table.value, tree, at: id };
  return id;
}

/** Adds the view of a move that the server has played already. */
export function learnView(l: Line, v: View): void {
  remember(l, v);
}

export function goTo(id: number): void {
  if (id !== table.value.at && t.exists(table.value.tree, id)) table.value = { ...table.value, at: id };
}

export function step(by: 1 | -1): void {
  const { tree, at } = table.value;
  const here = t.node(tree, at);
  const next = by === 1 ? here.children[0] : at === t.ROOT ? undefined : here.parent;
  if (next !== undefined) goTo(next);
}

export function toStart(): void {
  goTo(t.ROOT);
}

export function toEnd(): void {
  goTo(t.mainFrom(table.value.tree, table.value.at).at(-1) ?? table.value.at);
}

export function edit(change: (tree: t.Tree) => t.Tree): void {
  const tree = change(table.value.tree);
  let at = table.value.at;
  // Where we looked may have been cut off: go back to where it was joined.
  if (!t.exists(tree, at)) at = t.path(table.value.tree, at).reverse().find((id) => t.exists(tree, id)) ?? t.ROOT;
  table.value = { ...table.value, tree, at };
}

/** Fetches the views of a whole line in one go, so that stepping through it does not wait. */
export async function prefetch(l: Line): Promise<View[]> {
  if (l.moves.length > 1000) return [];
  const { views } = await api.views(l);
  // Their lists of legal moves are empty because nobody looked, not because there are none.
  views.forEach(({ legal: _, ...v }, ply) => remember({ ...l, moves: l.moves.slice(0, ply) }, v));
  return views;
}
