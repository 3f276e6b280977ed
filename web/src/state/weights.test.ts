import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Weights } from '../api/types';
import { cellName, colour, largest, minusBoard, number, pairs, possible, shared, steps, twinOf } from './weights';

const weights = (corner: number): Weights => ({
  about: 'after 3 games', unit: 'discs',
  choices: [{ name: 'type', label: 'Phase', chosen: '8', options: [{ name: '8', help: '' }, { name: '30', help: '' }] }],
  boards: [{ title: 'own', about: '', width: 2, height: 2, columns: ['a', 'b'], rows: ['1', '2'], cells: [corner, null, -1, 0] }],
  lists: [{ title: 'others', about: '', items: [{ name: 'tempo', value: corner }, { name: 'pair', value: 2 }] }],
});

test('the scale is symmetric: nought has no colour, and less and more have their own', () => {
  assert.equal(colour(0, 2), 'rgb(245 245 240)');
  assert.equal(colour(2, 2), 'rgb(233 138 60)');
  assert.equal(colour(-9, 2), 'rgb(91 141 199)');
  assert.equal(colour(0.5, 2), 'rgb(239 192 150)');
  assert.equal(colour(0, 0), 'rgb(245 245 240)');
  assert.deepEqual(steps(2), [-2, -1, -0.4, 0, 0.4, 1, 2]);
});

test('numbers have as few digits as tell something', () => {
  assert.deepEqual([number(-12.34, 50), number(1.25, 4), number(-0.256, 1), number(0.0123, 0.1), number(-0.001, 9)], ['−12', '1.3', '−0.26', '0.012', '0']);
});

test('differences are those of boards and names that both have', () => {
  const [a, b] = [weights(3), weights(1)];
  const board = a.boards[0];
  assert.ok(board);
  assert.deepEqual(minusBoard(board, twinOf(board, b))?.cells, [2, null, 0, 0]);
  assert.equal(minusBoard(board, twinOf({ ...board, title: 'other' }, b)), null);
  assert.equal(largest(a.boards, b.boards, undefined), 3);
  b.lists[0]?.items.pop();
  assert.deepEqual(a.lists[0] && pairs(a.lists[0], b), [{ name: 'tempo', value: 3, other: 1 }, { name: 'pair', value: 2, other: null }]);
  assert.equal(cellName(board, 2), 'a2');
  assert.equal(cellName({ ...board, columns: [] }, 3), 'column 2, row 2');
});

test('choices that are not offered any more are forgotten', () => {
  assert.deepEqual(possible({ type: '30', games: '7' }, weights(1)), { type: '30' });
  assert.deepEqual(possible({ type: '31' }, weights(1)), {});
  assert.deepEqual(possible({ type: '30' }, null), {});
  assert.deepEqual(shared({ type: '8', games: '7', experiment: 'A' }), { type: '8' });
});
