// The values of every position of a game, for the graph: asked once for a line and kept.
import { computed, signal } from '@preact/signals';
import { api } from '../api/client';
import type { Line, PlyEvent, Side } from '../api/types';
import { judge } from './judge';
import { complain } from './messages';
import { lineKey, prefetch, table } from './session';
import * as t from './tree';

interface Graph {
  key: string;
  plies: ReadonlyMap<number, PlyEvent>;
  movers: Side[];
  moves: string[];
  running: boolean;
  /** Milliseconds for each position. */
  time: number;
}

export const graph = signal<Graph | null>(null);

/** The line that the graph is about: the one through where we look. */
export const wholeLine = computed<Line>(() => {
  const { spec, start, tree, at } = table.value;
  return { game: spec, start, moves: t.lineThrough(tree, at).map((id) => t.node(tree, id).move) };
});

/** The graph, if it fits the line we look at: it may be longer or shorter, but not different. */
export const fitting = computed(() => {
  const [g, whole] = [graph.value, wholeLine.value];
  if (!g || !g.key.startsWith(lineKey({ ...whole, moves: [] }))) return null;
  const common = Math.min(g.moves.length, whole.moves.length);
  return g.moves.slice(0, common).every((move, i) => move === whole.moves[i]) ? g : null;
});

export const judged = computed(() => (fitting.value ? judge(fitting.value.plies, fitting.value.movers) : []));

let control: AbortController | null = null;

export function stopJudging(): void {
  control?.abort();
  if (graph.value) graph.value = { ...graph.value, running: false };
}

export async function startJudging(movetime: number): Promise<void> {
  stopJudging();
  const mine = (control = new AbortController());
  const wanted = wholeLine.value;
  const key = lineKey(wanted);
  try {
    const views = await prefetch(wanted);
    const movers = views.slice(0, -1).map((v) => v.to_move);
    let plies = new Map<number, PlyEvent>();
    graph.value = { key, plies, movers, moves: wanted.moves, running: true, time: movetime };
    await api.judge({ line: wanted, limits: { movetime_ms: movetime } }, mine.signal, (event) => {
      plies = new Map(plies).set(event.ply, event);
      graph.value = { key, plies, movers, moves: wanted.moves, running: true, time: movetime };
    });
  } catch (error) {
    if (!mine.signal.aborted) complain(error);
  } finally {
    if (!mine.signal.aborted && graph.value?.key === key) graph.value = { ...graph.value, running: false };
  }
}
