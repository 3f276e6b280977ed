import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explored, guess, lines, live, ply } from './adapt';

test('records of Go are told for the sides, not for the mover', () => {
  const raw = { source: 'index', position: 'text', moves: [{ move: 'Q16', kind: 'move', times: 5, share: 0.5, wins: 3, losses: 1, undecided: 1, first_year: 1961, last_year: 2001 }], games: [{ black: 'A', white: 'B', year: 1961, result: 'B+R', played: 'Q16' }] };
  const black = explored(raw, 'records', 0);
  assert.deepEqual(black.moves, [{ move: 'Q16', count: 5, share: 0.5, wins: [3, 1, 1], text: '1961–2001', lastYear: 2001 }]);
  assert.deepEqual(black.games, [{ players: 'A – B', year: 1961, result: 'B+R', move: 'Q16' }]);
  assert.equal(black.position, undefined);
  assert.deepEqual(explored(raw, 'records', 1).moves[0]?.wins, [1, 1, 3]);
});

test('records of other games have names, ratings and games that can be opened', () => {
  const found = explored({
    name: 'B01 Scandinavian', games_searched: 9, games_found: 2,
    moves: [{ move: 'e4d5', times: 2, share: 1, wins: [1, 0, 1], first_year: 1999, last_year: 1999, rating: 2400, performance: 2350 }, { move: 'end', kind: 'end of the record', times: 1, wins: [0, 0, 0], first_year: null, last_year: null, rating: null }],
    games: [{ number: 7, players: ['Ann', ''], ratings: [2400, null], year: 1999, result: 'white won', event: 'Cup', ply: 2, played: 'e4d5', shown: 'exd5' }],
  }, 'records', 0);
  assert.deepEqual([found.name, found.searched, found.found], ['B01 Scandinavian', 9, 2]);
  assert.deepEqual(found.moves[0], { move: 'e4d5', count: 2, share: 1, wins: [1, 0, 1], text: '1999', lastYear: 1999, rating: 2400, performance: 2350 });
  assert.deepEqual(found.moves[1], { move: 'end', count: 1 });
  assert.deepEqual(found.games, [{ players: 'Ann 2400 – ?', year: 1999, result: 'white won', move: 'exd5', event: 'Cup', number: 7, ply: 2 }]);
});

test('books keep their results, and moves without games have none', () => {
  const value = { text: '+1', kind: 'estimate' as const, number: 1, chance: 0.6 };
  const found = explored({ name: 'Tiger', moves: [{ move: 'f5', count: 3, wins: [1, 1, 1], value }, { move: 'd3', count: 0, wins: [0, 0, 0] }], position: { value } }, 'book', 0);
  assert.equal(found.name, 'Tiger');
  assert.deepEqual(found.moves[0], { move: 'f5', count: 3, wins: [1, 1, 1], value });
  assert.equal(found.moves[1]?.wins, undefined);
  assert.deepEqual(found.position, { value });
});

test('lines without a value or a move do no harm', () => {
  const event = lines({ depth: 1, nodes: 1, elapsed_ms: 1, finished: false, lines: [{ line: ['a1', 'a2'], value: null }, { line: [] }] });
  assert.equal(event.lines.length, 1);
  assert.equal(event.lines[0]?.move, 'a1');
  assert.deepEqual(event.lines[0]?.texts, ['a1', 'a2']);
  assert.equal(ply({ ply: 3, value: null }), null);
});

test('guesses come in two forms', () => {
  assert.deepEqual(guess({ guesses: [{ move: 'E5', probability: 0.5 }], model: 'm' }).moves, [{ move: 'E5', probability: 0.5 }]);
});

test('news of a run tell its plots only when they have changed', () => {
  assert.deepEqual(live({ metrics: [{ step: 1 }], run: { state: 'finished', step: 7 } }), { rows: [{ step: 1 }], state: 'finished', step: 7 });
  assert.deepEqual(live({ metrics: [], run: null, plots: [], note: 'nothing yet' }), { rows: [], plots: [], note: 'nothing yet' });
});
