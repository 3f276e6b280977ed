// What the board shows of moves that are not played: a line under the pointer, the best move, a hint.
import { computed, signal } from '@preact/signals';
import { api } from '../api/client';
import type { LegalMove, Line, Value, View } from '../api/types';
import type { Arrow, Badge, Ghost } from '../board/overlays';
import { current as explored, shares } from './explore';
import { chanceFor, current, likely, valueText } from './live';
import { complain } from './messages';
import { page } from './navigation';
import { known, line, lineKey, prefetch, settled, view } from './session';
import { absolute, liveAll, liveOn } from './settings';

/** How many plies of a line are drawn; more would only be a tangle. */
const PLIES = 6;

const pointed = signal<{ key: string; views: View[] } | null>(null);
let wanted = '';

/** Draws a line of moves from the position on the board; nothing if it is empty. */
export function preview(moves: string[]): void {
  const here = line.value;
  const ahead: Line = { ...here, moves: [...here.moves, ...moves.slice(0, PLIES)] };
  wanted = moves.length ? lineKey(ahead) : '';
  if (!moves.length) { pointed.value = null; return; }
  const mine = wanted;
  const set = (): void => {
    const views = ahead.moves.slice(here.moves.length).flatMap((_, i) => known({ ...ahead, moves: ahead.moves.slice(0, here.moves.length + i + 1) }) ?? []);
    if (wanted === mine) pointed.value = { key: lineKey(here), views };
  };
  if (known(ahead)) set();
  else prefetch(ahead).then(set, () => undefined);
}

const hinted = signal<{ key: string; cells: number[] } | null>(null);
export const hinting = signal(false);

/** Asks for a good move and shows it, without playing it. */
export async function hint(): Promise<void> {
  const [here, v] = [line.value, view.value];
  if (!v?.legal || v.outcome || hinting.value) return;
  const key = lineKey(here);
  let best = '';
  hinting.value = true;
  try {
    await api.analyse({ line: here, lines: 1, all: false, limits: { movetime_ms: 700 } }, new AbortController().signal, {
      lines: (e) => { best = e.lines[0]?.move ?? best; },
      wait: () => undefined,
      end: () => undefined,
    });
    const move = v.legal.find((m) => m.move === best);
    if (move) hinted.value = { key, cells: move.cells };
  } catch (error) {
    complain(error);
  } finally {
    hinting.value = false;
  }
}

const cellsOf = (legal: LegalMove[] | undefined, move: string | undefined): number[] =>
  legal?.find((m) => m.move === move)?.cells ?? [];

export const arrows = computed<Arrow[]>(() => {
  const key = lineKey(line.value);
  const shown: Arrow[] = [];
  const p = pointed.value;
  if (p?.key === key) {
    // Moves of one cell are numbered instead.
    p.views.forEach((v, rank) => { if (v.last.length > 1) shown.push({ cells: v.last, rank }); });
    return shown;
  }
  if (hinted.value?.key === key && hinted.value.cells.length) return [{ cells: hinted.value.cells, rank: 0 }];
  if (page.value === 'analyse' && liveOn.value) {
    const cells = cellsOf(view.value?.legal, current.value?.lines[0]?.move);
    if (cells.length) shown.push({ cells, rank: 0 });
  }
  return shown;
});

export const ghosts = computed<Ghost[]>(() => {
  const p = pointed.value;
  if (p?.key !== lineKey(line.value)) return [];
  const here = view.value?.to_move ?? 0;
  return p.views.flatMap((v, i) => {
    const before = i === 0 ? here : (p.views[i - 1]?.to_move ?? here);
    return v.last.length === 1 && v.last[0] !== undefined ? [{ cell: v.last[0], side: before, number: i + 1 }] : [];
  });
});

/** The value of every legal move that is known, for the board. */
export const values = computed<ReadonlyMap<string, Badge> | undefined>(() => {
  if (page.value === 'explore') return exploredValues.value;
  const [found, v] = [current.value, view.value];
  if (page.value !== 'analyse' || !liveAll.value || !found || !v || pointed.value?.key === found.key) return undefined;
  const best = found.lines[0] ? chanceFor(v.to_move, found.lines[0].value.chance) : 0;
  const top = found.lines[0]?.value;
  return new Map(found.lines.map(({ move, value }) => {
    // The colour says what the move gives away against the best one, not who is ahead.
    const lost = best - chanceFor(v.to_move, value.chance);
    // Several moves are equally good only where that is proven; estimates have one best move.
    const same = top !== undefined && (value === top || (value.text === top.text && ['won', 'lost', 'draw'].includes(value.kind)));
    return [move, { text: short(valueText(value.text, v, absolute.value), value.kind), tone: 1 - Math.min(1, lost * 5), best: same }];
  }));
});

/** The values that a book or a database has, where it has any. */
const exploredValues = computed<ReadonlyMap<string, Badge> | undefined>(() => {
  const [found, v] = [explored.value, view.value];
  const valued = found?.moves.filter((m) => m.value) ?? [];
  if (!v || !valued.length || pointed.value) return undefined;
  const chances = valued.map((m) => chanceFor(v.to_move, m.value?.chance ?? 0.5));
  const best = Math.max(...chances);
  return new Map(valued.map((m, i) => {
    const lost = best - (chances[i] ?? 0);
    return [m.move, { text: short(m.value?.text ?? '', m.value?.kind), tone: 1 - Math.min(1, lost * 5), best: lost < 1e-6 }];
  }));
});

/** How likely or how frequent moves are, by their cells: of the policy, or of the records. */
export const heat = computed<ReadonlyMap<number, number> | undefined>(() => {
  const v = view.value;
  if (!settled.value || !v?.legal) return undefined;
  const found = page.value === 'explore' ? explored.value : null;
  const known = page.value === 'analyse' ? likely.value : found && !found.moves.some((m) => m.value) ? shares(found.moves) : undefined;
  if (!known?.size) return undefined;
  // A move of two cells has no single place on the board.
  return new Map(v.legal.flatMap(({ move, cells }) => {
    const chance = known.get(move);
    return chance && cells.length === 1 && cells[0] !== undefined ? [[cells[0], chance] as const] : [];
  }));
});

/** Words do not fit on a cell. */
function short(text: string, kind?: Value['kind']): string {
  const mate = /^(mate|mated) in (\d+)/.exec(text);
  if (mate) return `${mate[1] === 'mate' ? '' : '−'}#${mate[2]}`;
  const words = /^(won|lost|win|loss)(?: in (\d+))?/i.exec(text);
  if (words) return `${words[1]?.[0]?.toUpperCase() ?? ''}${words[2] ?? ''}`;
  // "Black wins, proven": no number, and no room for words on a cell.
  if (/ wins, proven$/.test(text)) return kind === 'won' ? 'W' : 'L';
  // A value in a unit that is not the game's is followed by its name.
  const named = /^([+−-][\d.]+) \w/.exec(text);
  if (named) return named[1] ?? text;
  return /^draw/i.test(text) ? '=' : text;
}

/** The chance of the first side, for the bar beside the board. */
export const chance = computed<number | null>(() => {
  const v = view.value;
  if (v?.outcome && settled.value) return v.outcome.winner === null ? 0.5 : v.outcome.winner === 0 ? 1 : 0;
  return current.value?.lines[0]?.value.chance ?? null;
});
