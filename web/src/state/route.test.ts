import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRoute, writeRoute } from './route';

test('a line survives the way through the address', () => {
  const line = { game: 'go:9x9,komi=7', start: 'r1bq/8 w KQkq - 0 1', moves: ['e4', 'Nf3+', 'O-O', 'e8=Q#', 'a,b'] };
  const hash = writeRoute({ page: 'analyse', line });
  const back = readRoute(hash);
  assert.equal(back.page, 'analyse');
  assert.deepEqual(back.line, line);
});

test('short addresses read as people write them', () => {
  assert.equal(writeRoute({ page: 'analyse', line: { game: 'chess', start: null, moves: ['e4', 'e5'] } }), '#/analyse?g=chess&m=e4,e5');
  assert.deepEqual(readRoute('#/analyse?g=chess&m=e4,e5').line, { game: 'chess', start: null, moves: ['e4', 'e5'] });
});

test('nonsense shows the first page', () => {
  assert.deepEqual(readRoute('#/nowhere?x'), { page: 'play', line: null, run: null, versus: null });
  assert.equal(readRoute('#/analyse?g=%E0%A4%A').line, null);
  assert.equal(readRoute('').page, 'play');
});
