import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlyEvent } from '../api/types';
import { judge, lossText, summary } from './judge';

const ply = (n: number, loss: number | null, mark: PlyEvent['mark'], unit: PlyEvent['unit'] = 'chance'): [number, PlyEvent] =>
  [n, { ply: n, best: 'x', best_text: `x${n}`, line: [], texts: [], loss, unit, mark, value: { text: '', kind: 'estimate', number: 0, chance: 0.5 } }];

test('verdicts belong to whoever moved', () => {
  const judged = judge(new Map([ply(0, 0, null), ply(1, 0.3, '??'), ply(2, 0.4, '??'), ply(3, null, null)]), [0, 1, 0]);
  assert.deepEqual(judged.map((j) => j.verdict), [null, 'blunder', 'blunder']);
  assert.deepEqual(judged.map((j) => [j.ply, j.best]), [[1, 'x0'], [2, 'x1'], [3, 'x2']]);
  assert.equal(summary(judged, 1).counts.blunder, 1);
  assert.ok(Math.abs(summary(judged, 0).mean - 0.2) < 1e-9);
});

test('positions that were not judged are left out', () => {
  const judged = judge(new Map([ply(0, 0.06, '?!'), ply(2, null, null)]), [0, 1, 0]);
  assert.deepEqual(judged.map((j) => [j.ply, j.verdict]), [[1, 'inaccuracy']]);
});

test('losses are in the unit that the server names', () => {
  const judged = judge(new Map([ply(0, 2.5, '?', 'discs'), ply(1, 0.25, '??')]), [0, 1]);
  assert.deepEqual(judged.map((j) => lossText(j.loss, j.unit)), ['2.5 discs', '25.0 %']);
  assert.deepEqual([summary(judged, 0).unit, summary(judged, 1).unit], ['discs', 'chance']);
  assert.equal(summary([], 0).unit, 'chance');
});
