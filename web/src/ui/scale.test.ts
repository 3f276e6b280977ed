import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brief, ticks } from './scale';

test('ticks are round and inside', () => {
  assert.deepEqual(ticks(0, 1, 4), [0, 0.5, 1]);
  assert.deepEqual(ticks(0.13, 0.19, 3), [0.14, 0.16, 0.18]);
  assert.deepEqual(ticks(-3, 12, 3), [0, 5, 10]);
  assert.deepEqual(ticks(4, 4, 3), [4]);
});

test('numbers are short', () => {
  assert.deepEqual([0, 12, 9999, 12_345, 2_500_000, 0.12345, 1.5, 1e-5].map(brief), ['0', '12', '9999', '12.3k', '2.5M', '0.1235', '1.5', '1.0e-5']);
});
