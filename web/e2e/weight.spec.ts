// What the page weighs, and that it needs nobody but the server.
import { loads, median } from './load';
import { expect, test } from './world';

test('the page weighs less than a megabyte before compression', async ({ browser, baseURL }) => {
  const [first] = await loads(browser, baseURL ?? '', 1);
  expect(first?.files.some((file) => file.path.endsWith('.js'))).toBe(true);
  expect(first?.bytes).toBeLessThan(1_000_000);
});

test('the first paint and the board come, and the report says when', async ({ browser, baseURL }) => {
  // Speed is measured by `npm run measure`; here a busy machine may be slow, but the marks must be there.
  const found = await loads(browser, baseURL ?? '', 5);
  const [paint, board] = [median(found.map((l) => l.paint)), median(found.map((l) => l.board))];
  test.info().annotations.push({ type: 'first paint', description: `${paint.toFixed(0)} ms` }, { type: 'board', description: `${board.toFixed(0)} ms` });
  console.log(`first paint ${paint.toFixed(0)} ms, board ${board.toFixed(0)} ms (median of 5, machine not idle)`);
  expect(paint).toBeGreaterThan(0);
  expect(board).toBeGreaterThanOrEqual(paint);
});
