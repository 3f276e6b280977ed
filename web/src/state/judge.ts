// What did each move cost? From the values of a game's positions, the moves that threw something away.
import type { PlyEvent, Side } from '../api/types';

export type Verdict = 'inaccuracy' | 'mistake' | 'blunder';

/** The loss of winning chance (0…1) from which a move gets its name. */
const BOUNDS: [Verdict, number][] = [['blunder', 0.2], ['mistake', 0.1], ['inaccuracy', 0.05]];

export const MARKS: Record<Verdict, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };

export interface Judged {
  /** The position after so many plies; the move judged is the one that led to it. */
  ply: number;
  mover: Side;
  loss: number;
  verdict: Verdict | null;
  /** What should have been played instead. */
  best: string | null;
}

/** `movers[i]` made the move from ply i to ply i + 1. */
export function judge(plies: ReadonlyMap<number, PlyEvent>, movers: Side[], moves: string[]): Judged[] {
  const result: Judged[] = [];
  movers.forEach((mover, i) => {
    const before = plies.get(i);
    const after = plies.get(i + 1);
    if (!before || !after) return;
    const chance = (p: PlyEvent): number => (mover === 0 ? p.value.chance : 1 - p.value.chance);
    // The best move itself costs nothing, whatever a deeper look says one ply later.
    const loss = before.best === moves[i] ? 0 : Math.max(0, chance(before) - chance(after));
    const verdict = BOUNDS.find(([, bound]) => loss >= bound)?.[0] ?? null;
    result.push({ ply: i + 1, mover, loss, verdict, best: before.best_text });
  });
  return result;
}

/** How many of each verdict a side has, and its mean loss. */
export function summary(judged: Judged[], side: Side): { counts: Record<Verdict, number>; mean: number } {
  const own = judged.filter((j) => j.mover === side);
  const counts = { inaccuracy: 0, mistake: 0, blunder: 0 };
  for (const { verdict } of own) if (verdict) counts[verdict] += 1;
  return { counts, mean: own.length ? own.reduce((sum, j) => sum + j.loss, 0) / own.length : 0 };
}
