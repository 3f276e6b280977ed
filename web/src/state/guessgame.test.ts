import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessGame, looksLikeFen, mayBePosition } from './guessgame';

test('files say by their name or their text which game they are of', () => {
  assert.equal(guessGame('x.pgn', '', 'othello'), 'chess');
  assert.equal(guessGame('', '[Event "Cup"]\n1. e4', 'go'), 'chess');
  assert.equal(guessGame('x.sgf', '(;GM[1]SZ[9];B[aa])', 'chess'), 'go:9x9');
  assert.equal(guessGame('x.sgf', '(;SZ[9];B[aa])', 'go:9x9,komi=5'), 'go:9x9,komi=5');
  assert.equal(guessGame('x.sgf', '(;FF[4];B[aa])', 'go:9x9'), 'go');
  assert.equal(guessGame('x.ggf', '', 'chess'), 'othello');
  assert.equal(guessGame('', 'f5d6c3d3c4f4f6f3', 'go'), 'othello');
  assert.equal(guessGame('', 'f5d6c3d3c4f4f6f3', 'othello:6x6'), 'othello:6x6');
  assert.equal(guessGame('notes.txt', 'hello', 'connect4'), 'connect4');
});

test('positions are told from records', () => {
  const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  assert.equal(looksLikeFen(fen), true);
  assert.equal(guessGame('', fen, 'go'), 'chess');
  assert.equal(mayBePosition(fen), true);
  assert.equal(mayBePosition('(;GM[1])'), false);
  assert.equal(mayBePosition('[Event "x"]'), false);
});
