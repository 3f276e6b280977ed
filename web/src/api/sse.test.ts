import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventReader } from './sse';

test('events that come in pieces are put together', () => {
  const reader = new EventReader();
  assert.deepEqual(reader.push('event: lines\nda'), []);
  assert.deepEqual(reader.push('ta: {"depth":1}\n\nevent: end\ndata: {}\n\nevent'), [
    { event: 'lines', data: '{"depth":1}' },
    { event: 'end', data: '{}' },
  ]);
});

test('comments are skipped and line ends of both kinds are read', () => {
  const reader = new EventReader();
  assert.deepEqual(reader.push(': keep\r\n\r\nevent: a\r\ndata: 1\r\ndata: 2\r\n\r\n'), [
    { event: 'a', data: '1\n2' },
  ]);
});
