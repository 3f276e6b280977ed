import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordNode } from '../api/types';
import * as t from './tree';

test('a move that is known is gone into, a new one becomes a variation', () => {
  const { tree, end } = t.fromMoves(['e4', 'e5', 'Nf3']);
  const again = t.play(tree, t.ROOT, 'e4');
  assert.equal(again.tree, tree);
  const other = t.play(again.tree, again.id, 'c5');
  assert.deepEqual(t.moves(other.tree, other.id), ['e4', 'c5']);
  assert.deepEqual(t.moves(other.tree, end), ['e4', 'e5', 'Nf3']);
  assert.deepEqual(t.mainFrom(other.tree, t.ROOT).map((id) => t.node(other.tree, id).move), ['e4', 'e5', 'Nf3']);
});

test('promoting makes a variation the main line, and removing takes all of it', () => {
  const first = t.fromMoves(['e4', 'e5']);
  const second = t.play(first.tree, t.ROOT, 'd4');
  const third = t.play(second.tree, second.id, 'd5');
  const promoted = t.promote(third.tree, third.id);
  assert.deepEqual(t.mainFrom(promoted, t.ROOT), [second.id, third.id]);
  const cut = t.remove(promoted, second.id);
  assert.equal(t.exists(cut, third.id), false);
  assert.equal(t.find(cut, ['d4']), null);
  assert.notEqual(t.find(cut, ['e4', 'e5']), null);
});

test('records keep variations in order, comments and marks, there and back', () => {
  const nodes: RecordNode[] = [
    { comment: 'start' }, { parent: 0, move: 'a' }, { parent: 1, move: 'b', comment: 'good' }, { parent: 1, move: 'c', mark: '??' }, { parent: 0, move: 'd' },
  ];
  const tree = t.fromRecord(nodes);
  assert.deepEqual(t.mainFrom(tree, t.ROOT).map((id) => t.node(tree, id).move), ['a', 'b']);
  assert.equal(t.node(tree, t.find(tree, ['a', 'b']) ?? -1).comment, 'good');
  assert.equal(t.node(tree, t.find(tree, ['a', 'c']) ?? -1).mark, '??');
  assert.equal(t.isTree(tree), true);
  assert.deepEqual(t.toRecord(tree), nodes);
});

test('what follows nothing is left out of a record', () => {
  const tree = t.fromRecord([{}, { parent: 7, move: 'x' }, { parent: 0, move: 'a' }, { parent: 1, move: 'y' }]);
  assert.deepEqual(t.toRecord(tree), [{}, { parent: 0, move: 'a' }]);
});

test('texts are written along a line, once', () => {
  const { tree, end } = t.fromMoves(['e2e4', 'e7e5']);
  const named = t.setTexts(tree, end, ['e4', 'e5']);
  assert.deepEqual(t.path(named, end).map((id) => t.node(named, id).text), ['e4', 'e5']);
  assert.equal(t.setTexts(named, end, ['e4', 'e5']), named);
  assert.deepEqual(t.moves(named, end), ['e2e4', 'e7e5']);
});

test('what is no tree is not taken for one', () => {
  for (const bad of [null, 3, {}, { nodes: [] }, { nodes: [{ move: '', text: '', comment: '', parent: -1, children: [7] }] }]) {
    assert.equal(t.isTree(bad), false);
  }
});

test('a very long game does not overflow', () => {
  const nodes = Array.from({ length: 50_001 }, (_, i): RecordNode => (i ? { parent: i - 1, move: 'x' } : {}));
  assert.equal(t.toRecord(t.fromRecord(nodes)).length, 50_001);
});
