// Which moves were bad? The server says so with each position; here its words are put in order.
import type { LossUnit, PlyEvent, Side } from '../api/types';

export type Verdict = 'inaccuracy' | 'mistake' | 'blunder';

const VERDICTS: Record<string, Verdict> = { '?!': 'inaccuracy', '?': 'mistake', '??': 'blunder' };

export const SIGNS: Record<Verdict, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };

export interface Judged {
  /** The position after so many plies; the move judged is the one that led to it. */
  ply: number;
  mover: Side;
  /** In this unit. */
  loss: number;
  unit: LossUnit;
  verdict: Verdict | null;
  /** What should have been played instead. */
  best: string | null;
}

/** `movers[i]` made the move from ply i to ply i + 1. */
export function judge(plies: ReadonlyMap<number, PlyEvent>, movers: Side[]): Judged[] {
  return movers.flatMap((mover, i): Judged[] => {
    const before = plies.get(i);
    if (!before || before.loss === null) return [];
    return [{ ply: i + 1, mover, loss: before.loss, unit: before.unit ?? 'chance', verdict: VERDICTS[before.mark ?? ''] ?? null, best: before.best_text }];
  });
}

/** "1.5 discs", "3.2 %". */
export function lossText(loss: number, unit: LossUnit): string {
  return unit === 'discs' ? `${loss.toFixed(1)} discs` : `${(loss * 100).toFixed(1)} %`;
}

/** How many of each verdict a side has, and its mean loss. */
export function summary(judged: Judged[], side: Side): { counts: Record<Verdict, number>; mean: number; unit: LossUnit } {
  const own = judged.filter((j) => j.mover === side);
  const counts = { inaccuracy: 0, mistake: 0, blunder: 0 };
  for (const { verdict } of own) if (verdict) counts[verdict] += 1;
  return { counts, mean: own.length ? own.reduce((sum, j) => sum + j.loss, 0) / own.length : 0, unit: own[0]?.unit ?? 'chance' };
}
