import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plot } from '../api/types';
import { charts, isRunning, merge } from './runs';

const plot = (title: string, section: string, top = 100): Plot => ({
  section, caption: '', title, x: 'games', y: '', x_range: null, y_range: [0, top],
  series: [{ name: 'all', mark: 'line', points: [[0, 1], [1, null], [2, 3]], errors: [0.5, null, 0.25] }],
});

test('charts are the plots of the report in its order, gaps left out', () => {
  const found = charts([plot('Right moves', 'Play'), plot('Strength', 'Play'), plot('Error', 'Fit')], 'a');
  assert.deepEqual(found.map((c) => c.section), ['Play', 'Play', 'Fit']);
  assert.deepEqual(found[0]?.series, [{ name: 'all', points: [[0, 1, 0.5], [2, 3, 0.25]], mark: 'line', color: 0, dash: 0 }]);
});

test('two runs share the charts that both have; the second is dashed', () => {
  const found = charts([plot('Right moves', 'Play')], 'a', { name: 'b', plots: [plot('Elo', 'Play'), plot('Right moves', 'Play', 120)] });
  assert.deepEqual(found.map((c) => [c.section, c.plot.title]), [['Play', 'Right moves'], ['Only of b', 'Elo']]);
  assert.deepEqual(found[0]?.series.map((s) => [s.name, s.dash, s.color]), [['all · a', 0, 0], ['all · b', 1, 0]]);
  assert.deepEqual(found[0]?.plot.y_range, [0, 120]);
});

test('live rows go to the end, and a repeated one does not count twice', () => {
  const metrics = [{ step: 1 }, { step: 2, elo: 5 }];
  assert.deepEqual(merge(metrics, [{ step: 2, elo: 6 }, { step: 3 }]).map((r) => [r.step, (r as { elo?: number }).elo]), [[1, undefined], [2, 6], [3, undefined]]);
});

test('only a run at work is followed', () => {
  assert.deepEqual(['running', 'finished', 'interrupted', 'failed'].map(isRunning), [true, false, false, false]);
});
