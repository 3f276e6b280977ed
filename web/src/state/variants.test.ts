import assert from 'node:assert/strict';
import { test } from 'node:test';
import { options, parts, sized, spell } from './variants';

const GO = 'go:9x9,komi=7.5,ko=simple|superko,suicide=yes|no,scoring=area|territory,handicap=N';

test('the help of a game tells its options', () => {
  assert.deepEqual(options(GO).map((o) => o.name), ['komi', 'ko', 'suicide', 'scoring', 'handicap']);
  assert.deepEqual(options(GO)[1]?.choices, ['simple', 'superko']);
  assert.equal(options(GO)[0]?.example, '7.5');
  assert.deepEqual(options("nine men's morris: men=9 (3 to 9), flying=yes|no")[0], { name: 'men', choices: [], range: [3, 9], example: '9' });
  assert.deepEqual(options('orthodox chess, or Chess960 with 960=N (0 to 959)'), [{ name: '960', choices: [], range: [0, 959] }]);
  assert.deepEqual(options('three in a row'), []);
});

test('games with sizes are known', () => {
  assert.equal(sized(GO, []), true);
  assert.equal(sized('pawns alone: WxH (2x3 to 8x8)', []), true);
  assert.equal(sized('noughts and crosses: three in a row on 3x3', ['tictactoe']), true);
  assert.equal(sized('orthodox chess', ['chess']), false);
});

test('a variant is taken apart and put together', () => {
  const { size, named } = parts('go:9x9,komi=6.5,handicap=2');
  assert.equal(size, '9x9');
  assert.equal(spell('go', size, named), 'go:9x9,komi=6.5,handicap=2');
  assert.equal(spell('go', '13×13', [['komi', ''], ['ko', 'simple']]), 'go:13x13,ko=simple');
  assert.equal(spell('chess', '', []), 'chess');
  assert.deepEqual(parts('chess'), { size: '', named: new Map() });
});
