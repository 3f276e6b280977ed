import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curves, flatten, groups, measured, merge } from './runs';

const metrics = [{ step: 1, loss_train: 2, loss_test: 3, note: 'x', list: [1, 2], deep: { all: { found: 7 } } }, { step: 2, loss_train: 1, elo: 5, note: 'x' }];

test('numbers are found, also in groups, and words and lists are not', () => {
  const rows = flatten(metrics);
  assert.deepEqual(measured(rows), ['loss_train', 'loss_test', 'deep.all.found', 'elo']);
  assert.deepEqual(curves(rows, 'loss_test'), [{ variant: '', points: [[1, 3]] }]);
});

test('variants have curves of their own over their own games', () => {
  const rows = flatten([
    { step: 1, variant: 'a', games: 0, elo: 0 }, { step: 2, variant: 'a', games: 10, elo: 9 },
    { step: 3, variant: 'b', games: 0, elo: 1 },
  ]);
  assert.deepEqual(curves(rows, 'elo'), [
    { variant: 'a', points: [[0, 0], [10, 9]] },
    { variant: 'b', points: [[0, 1]] },
  ]);
});

test('measures of one kind share a chart', () => {
  assert.deepEqual(groups(['loss_train', 'loss_test', 'elo']), [
    { title: 'loss', names: ['loss_train', 'loss_test'] },
    { title: 'elo', names: ['elo'] },
  ]);
});

test('live rows go to the end, and a repeated one does not count twice', () => {
  assert.deepEqual(merge(metrics, [{ step: 2, elo: 6 }, { step: 3 }]).map((r) => [r.step, (r as { elo?: number }).elo]), [[1, undefined], [2, 6], [3, undefined]]);
});
