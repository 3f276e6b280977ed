import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Picture, View } from '../api/types';
import { carry, cleared, draftOf, men, positionOf, put } from './setup';

const empty = (width: number): Picture => ({
  width, height: width, chequered: false, columns: [], rows: [], notes: [],
  cells: Array.from({ length: width * width }, () => ({ owner: null, glyph: '', letter: '.' })),
});
const man = (kind: 'chess' | 'go' | 'othello', letter: string) => men(kind).find((m) => m.letter === letter) ?? null;

test('a position is written as the game writes it', () => {
  let board = put(put(empty(8), 60, man('chess', 'K')), 4, man('chess', 'k'));
  board = put(board, 63, man('chess', 'R'));
  assert.equal(positionOf('chess', { picture: board, toMove: 1, castling: 'K' }), '4k3/8/8/8/8/8/8/4K2R b K - 0 1');
  const stones = put(put(empty(9), 0, man('go', 'X')), 80, man('go', 'O'));
  assert.equal(positionOf('go', { picture: stones, toMove: 1, castling: '' }), 'X8/9/9/9/9/9/9/9/8O white');
  assert.equal(positionOf('go', { picture: empty(13), toMove: 0, castling: '' }), `${Array(13).fill('13').join('/')} black`);
  assert.equal(positionOf('othello', { picture: put(empty(4), 5, man('othello', 'X')), toMove: 0, castling: '' }), '-----X---------- X');
});

test('men are put, taken away, carried and cleared', () => {
  const one = put(empty(4), 3, man('othello', 'X'));
  assert.equal(one.cells[3]?.owner, 0);
  assert.equal(put(one, 3, man('othello', 'X')).cells[3]?.owner, null);
  assert.equal(put(one, 3, man('othello', 'O')).cells[3]?.owner, 1);
  assert.equal(put(one, 3, null).cells[3]?.owner, null);
  assert.deepEqual([3, 7].map((i) => carry(one, 3, 7).cells[i]?.owner), [null, 0]);
  assert.ok(cleared(one).cells.every((c) => c.owner === null));
});

test('a draft begins with what is on the board', () => {
  const view = { position: '4k3/8/8/8/8/8/8/4K2R b K - 0 1', to_move: 1, picture: empty(8) } as unknown as View;
  assert.deepEqual([draftOf(view).toMove, draftOf(view).castling], [1, 'K']);
  assert.equal(men('grid').length, 0);
});
