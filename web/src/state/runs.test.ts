import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groups, measured, merge, points } from './runs';

const rows = [{ step: 1, loss_train: 2, loss_test: 3, note: 'x' }, { step: 2, loss_train: 1, elo: 5 }];

test('numbers are found, and words are not', () => {
  assert.deepEqual(measured(rows), ['loss_train', 'loss_test', 'elo']);
  assert.deepEqual(points(rows, 'loss_test'), [[1, 3]]);
});

test('measures of one kind share a chart', () => {
  assert.deepEqual(groups(['loss_train', 'loss_test', 'elo']), [
    { title: 'loss', names: ['loss_train', 'loss_test'] },
    { title: 'elo', names: ['elo'] },
  ]);
});

test('live rows go to the end, and a repeated one does not count twice', () => {
  assert.deepEqual(merge(rows, [{ step: 2, elo: 6 }, { step: 3 }]).map((r) => [r.step, (r as { elo?: number }).elo]), [[1, undefined], [2, 6], [3, undefined]]);
});
