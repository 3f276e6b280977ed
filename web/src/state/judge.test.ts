import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlyEvent } from '../api/types';
import { judge, summary } from './judge';

const ply = (n: number, chance: number, best: string): [number, PlyEvent] =>
  [n, { ply: n, best, best_text: best, value: { text: '', kind: 'estimate', number: 0, chance } }];

test('losses are counted for whoever moved', () => {
  const plies = new Map([ply(0, 0.5, 'x'), ply(1, 0.52, 'y'), ply(2, 0.8, 'z'), ply(3, 0.4, 'w')]);
  const judged = judge(plies, [0, 1, 0], ['a', 'b', 'c']);
  assert.deepEqual(judged.map((j) => j.verdict), [null, 'blunder', 'blunder']);
  assert.deepEqual(judged.map((j) => j.best), ['x', 'y', 'z']);
  assert.equal(summary(judged, 1).counts.blunder, 1);
  assert.ok(Math.abs(summary(judged, 0).mean - 0.2) < 1e-9);
});

test('the best move is never blamed, and holes are left out', () => {
  const plies = new Map([ply(0, 0.9, 'a'), ply(1, 0.2, 'b'), ply(3, 0.2, 'c')]);
  const judged = judge(plies, [0, 1, 0], ['a', 'q', 'r']);
  assert.deepEqual(judged.map((j) => [j.ply, j.verdict]), [[1, null]]);
});
