import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cell, LegalMove, Side } from '../api/types';
import { type Board, dots, falls, leaves, order, pick, takes, targets } from './select';

/** A board from rows of letters: X and O are pieces, `.` is empty, a space is outside. */
function board(rows: string[], legal: [string, number[]][], mover: Side = 0): Board {
  const owners: Record<string, Cell['owner']> = { X: 0, O: 1, '.': null, ' ': 'outside' };
  const cells = rows.flatMap((row) => [...row].map((letter) => ({ owner: owners[letter] ?? null, glyph: letter, letter })));
  return {
    legal: legal.map(([move, cells]): LegalMove => ({ move, text: move, cells })),
    picture: { width: rows[0]?.length ?? 0, height: rows.length, chequered: false, columns: [], rows: [], cells, notes: [] },
    mover,
  };
}

test('a drop is played at once', () => {
  const b = board(['...', '...'], [['a', [0]], ['b', [4]]]);
  assert.deepEqual(pick(b, [], 4), { do: 'play', move: { move: 'b', text: 'b', cells: [4] } });
  assert.deepEqual(pick(b, [], 5), { do: 'nothing' });
  assert.deepEqual([...dots(b, [])], [0, 4]);
});

test('from and to need two cells, and another piece starts afresh', () => {
  const b = board(['X.', 'X.'], [['a', [0, 1]], ['b', [2, 3]], ['c', [2, 1]]]);
  assert.deepEqual(pick(b, [], 0), { do: 'select', cells: [0] });
  assert.deepEqual(pick(b, [0], 2), { do: 'select', cells: [2] });
  assert.deepEqual(pick(b, [0], 0), { do: 'select', cells: [] });
  assert.deepEqual(pick(b, [0], 3), { do: 'select', cells: [] });
  assert.equal(pick(b, [2], 1).do, 'play');
  assert.deepEqual([...targets(b, [2])], [3, 1]);
  assert.deepEqual([...dots(b, [])], []);
});

test('a car at the edge leaves when one points at it again', () => {
  const b = board(['.X', '..'], [['off', [1]], ['down', [1, 3]]]);
  assert.deepEqual(pick(b, [], 1), { do: 'select', cells: [1] });
  assert.deepEqual([...targets(b, [1])].sort(), [1, 3]);
  const found = pick(b, [1], 1);
  assert.equal(found.do === 'play' && found.move.move, 'off');
  assert.equal(leaves(b, 1), true);
  assert.equal(leaves(b, 3), false);
});

test('several moves with the same cells are put to the person', () => {
  const b = board(['X.'], [['a=Q', [0, 1]], ['a=N', [0, 1]]]);
  const found = pick(b, [0], 1);
  assert.equal(found.do, 'choose');
  assert.deepEqual(found.do === 'choose' && found.moves.map((m) => m.move), ['a=Q', 'a=N']);
});

test('a man that is taken is shown after the target', () => {
  const b = board(['X.O', '..O'], [['ab x c', [0, 2, 1]], ['ab x f', [0, 5, 1]], ['ad', [0, 3]]]);
  assert.deepEqual(order(b.legal[0] ?? { move: '', text: '', cells: [] }, b), [0, 1, 2]);
  assert.deepEqual(pick(b, [0], 1), { do: 'select', cells: [0, 1] });
  assert.equal(pick(b, [0, 1], 5).do, 'play');
  assert.equal(pick(b, [0], 3).do, 'play');
});

test('matches are taken from one to the end of the row', () => {
  const b = board(['...'], [['1', [2]], ['2', [1, 2]], ['3', [0, 1, 2]]]);
  assert.equal(takes(b), true);
  const found = pick(b, [], 1);
  assert.equal(found.do === 'play' && found.move.move, '2');
});

test('with gravity the whole column is the move', () => {
  const b = board(['...', 'X..'], [['a', [0]], ['b', [4]], ['c', [5]]]);
  assert.equal(falls(b), true);
  const found = pick(b, [], 1);
  assert.equal(found.do === 'play' && found.move.move, 'b');
  assert.equal(falls(board(['...', '...'], [['a', [0]], ['b', [4]]])), false);
});
