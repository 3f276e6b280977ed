import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Picture } from '../api/types';
import { follow } from './pieces';

const picture = (text: string): Picture => ({
  width: text.length, height: 1, chequered: false, columns: [], rows: [], notes: [],
  cells: [...text].map((letter) => ({ owner: letter === '.' ? null : letter === letter.toUpperCase() ? 0 : 1, glyph: letter.toLowerCase(), letter })),
});

test('a piece that moves keeps its key, and one that is taken is gone', () => {
  const before = follow(null, picture('R.r'), false);
  const after = follow(before, picture('..R'), false);
  assert.equal(after.length, 1);
  assert.equal(after[0]?.key, before.find((p) => p.cell === 0)?.key);
  assert.equal(after[0]?.event, 'none');
});

test('a disc turns where it lies, and a new one is placed', () => {
  const before = follow(null, picture('.oO'), true);
  const after = follow(before, picture('OOO'), true);
  assert.deepEqual(after.map((p) => [p.cell, p.event]).sort(), [[0, 'placed'], [1, 'turned'], [2, 'none']]);
});
