import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newClock, pause, press, remaining, showTime } from './clock';

test('only the running side loses time, and gets its increment when it has moved', () => {
  let clock = newClock(1, 2);
  clock = press(clock, 0, 1000);
  assert.equal(remaining(clock, 0, 11_000), 50_000);
  assert.equal(remaining(clock, 1, 11_000), 60_000);
  clock = press(clock, 1, 11_000);
  assert.equal(remaining(clock, 0, 20_000), 52_000);
  assert.equal(remaining(clock, 1, 20_000), 51_000);
  clock = pause(clock, 20_000);
  assert.equal(remaining(clock, 1, 99_000), 51_000);
});

test('nothing goes below zero, and times are written as clocks write them', () => {
  assert.equal(remaining(press(newClock(1, 0), 0, 0), 0, 100_000), 0);
  assert.deepEqual([9_950, 61_000, 3_600_000, 600_000].map(showTime), ['9.9', '1:01', '1:00:00', '10:00']);
});
