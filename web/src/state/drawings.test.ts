import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Picture } from '../api/types';
import { cellOf, drawingsOf, nextLabel, signs, toggle, withDrawings } from './drawings';

const board = (columns: string, rows: number): Picture => ({
  width: columns.length, height: rows, chequered: false, columns: [...columns], rows: Array.from({ length: rows }, (_, i) => String(rows - i)),
  cells: Array.from({ length: columns.length * rows }, () => ({ owner: null, glyph: '', letter: '.' })), notes: [],
});
const chess = board('abcdefgh', 8);
const go = board('ABCDEFGHJKLMNOPQRST', 19);

test('drawings of other programs are understood, and what is not is left alone', () => {
  const comment = 'a plan [%csl Gd4,Re5,Xa1,Gz9] [%clk 0:10:00] [%cal Ge2e4,Be2e2]';
  assert.deepEqual(drawingsOf(comment, chess), [
    { shape: 'circle', cell: cellOf(chess, 'd4'), colour: 'G' },
    { shape: 'circle', cell: cellOf(chess, 'e5'), colour: 'R' },
    { shape: 'arrow', cell: cellOf(chess, 'e2'), to: cellOf(chess, 'e4'), colour: 'G' },
  ]);
});

test('what is drawn is written so that it is read again', () => {
  const drawn = drawingsOf('[%csl GD16] [%cal GD16-Q4] [%lin A1-T19] [%tri K10,C3] [%sqr C3] [%crs D4] [%lbl Q16=A,R16=%2C%25] [%sel A1] [%dim A2]', go);
  assert.equal(drawn.length, 11);
  assert.equal(drawn.find((d) => d.cell === cellOf(go, 'R16'))?.text, ',%');
  const comment = withDrawings('words [%clk 1] [%tri A1]', drawn, go);
  assert.ok(comment.startsWith('words [%clk 1] [%csl GD16]'), comment);
  assert.ok(comment.includes('[%lbl Q16=A,R16=%2C%25]') && comment.includes('[%cal GD16-Q4]'), comment);
  assert.deepEqual(new Set(drawingsOf(comment, go).map((d) => JSON.stringify(d))), new Set(drawn.map((d) => JSON.stringify(d))));
  assert.equal(withDrawings('[%cal Ge2e4]', [], chess), '');
  const odd = { shape: 'label' as const, cell: 0, text: 'a [b]\u3000=%,' };
  assert.deepEqual(drawingsOf(withDrawings('', [odd], go), go), [odd]);
});

test('a second stroke takes away, another colour replaces', () => {
  const green = { shape: 'circle' as const, cell: 3, colour: 'G' as const };
  assert.deepEqual(toggle([green], green), []);
  assert.deepEqual(toggle([green], { ...green, colour: 'R' }), [{ ...green, colour: 'R' }]);
  assert.deepEqual(toggle([], green), [green]);
});

test('labels count on, and signs of positions are shown', () => {
  const labelled = (text: string) => ({ shape: 'label' as const, cell: 0, text });
  assert.equal(nextLabel([], false), 'A');
  assert.equal(nextLabel([labelled('A'), labelled('C')], false), 'B');
  assert.equal(nextLabel([labelled('1')], true), '2');
  assert.equal(signs('good [%nag 16,36,200]'), '± → $200');
  assert.equal(signs('nothing'), '');
});
