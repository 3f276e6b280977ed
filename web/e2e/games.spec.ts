// Games of each kind, played to the end by a person at the mouse.
import { banner, cell, click, drag, moves, pieces, played, start } from './table';
import { expect, test, visit } from './world';

test('a game of Othello 4x4 is played to the end, with whatever passes it needs', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'othello', variant: 'othello:4x4' });
  const end = page.locator('.banner.end');
  const next = page.locator('[role=gridcell].can').or(page.locator('.banner').getByRole('button', { name: 'Pass' })).or(end).first();
  for (let ply = 0; ply < 20; ply++) {
    await next.waitFor();
    if (await end.isVisible()) break;
    const before = (await moves(page)).length;
    await next.click();
    await expect.poll(async () => (await moves(page)).length).toBe(before + 1);
  }
  await expect(end).toContainText(/(Black|White) wins by \d+|Draw/);
  await expect(page.locator('[role=gridcell].can')).toHaveCount(0);
});

test('a computer plays Othello 8x8 against itself to the end', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'othello', variant: 'othello', first: 0, second: 0 });
  await expect(banner(page)).toContainText(/thinking/);
  await expect(page.locator('.banner.end')).toContainText(/wins by|Draw/, { timeout: 110_000 });
  expect((await moves(page)).length).toBeGreaterThan(40);
});

test('a game of chess ends with a mate, by clicks and by dragging', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'chess' });
  await click(page, 'f2-f3', 'e7-e5');
  await drag(page, 'g2', 'g4');
  await played(page, 3);
  await expect(cell(page, 'g4')).toHaveAccessibleName(/white pawn/);
  await drag(page, 'd8', 'h4');
  await expect(page.locator('.banner.end')).toContainText('Black wins');
  await expect(page.locator('.banner.end')).toContainText('checkmate');
  expect(await moves(page)).toEqual(['f3', 'e5', 'g4', 'Qh4#']);
});

test('a piece that is dropped where it may not go stays where it was', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'chess' });
  await drag(page, 'e2', 'e5');
  await expect(cell(page, 'e2')).toHaveAccessibleName(/white pawn/);
  await played(page, 0);
  await click(page, 'e2-e4');
  await played(page, 1);
});

test('a pawn that reaches the last rank may become a knight', async ({ page }) => {
  const position = encodeURIComponent('8/4P1k1/8/8/8/8/8/4K3 w - - 0 1');
  await visit(page, `#/analyse?g=chess&s=${position}`);
  await click(page, 'e7-e8');
  const chooser = page.getByRole('dialog', { name: 'Which move?' });
  await expect(chooser.getByRole('button').first()).toHaveText(/=Q/);
  // Whoever does not want it after all gets the pawn back.
  await expect(chooser.getByRole('button').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(chooser).toHaveCount(0);
  await click(page, 'e7-e8');
  await chooser.getByRole('button', { name: '=N' }).click();
  await expect(cell(page, 'e8')).toHaveAccessibleName(/white knight/);
});

test('stones are captured in Go, and two passes end and count the game', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'go', variant: 'go:9x9' });
  await click(page, 'D5', 'E5', 'E6', 'A1', 'F5', 'B1', 'E4');
  await played(page, 7);
  await expect(cell(page, 'E5')).toHaveAccessibleName(/empty/);
  await expect(pieces(page)).toHaveCount(6);
  await expect(page.locator('.notes')).toHaveText(/captured: black 1, white 0/);
  const pass = page.locator('.steps').getByRole('button', { name: 'Pass' });
  await pass.click();
  await played(page, 8);
  await pass.click();
  await expect(page.locator('.banner.end')).toContainText(/(Black|White) wins by [\d.]+/);
  // The end by the rules, until the board is counted without dead stones.
  await expect(page.locator('.banner.end')).toContainText(/two passes|counting/);
});

test('three in a row end tic-tac-toe', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'tictactoe' });
  await click(page, 'a3', 'a2', 'b3', 'b2', 'c3');
  await expect(page.locator('.banner.end')).toContainText('X wins');
});

test('four discs in a column end Connect Four, and a click anywhere in a column drops one', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'connect4', variant: 'connect4' });
  await expect(cell(page, 'd1')).toHaveAccessibleName(/possible/);
  await cell(page, 'd6').click();
  await played(page, 1);
  await expect(cell(page, 'd1')).toHaveAccessibleName(/red/);
  await click(page, 'e1', 'd2', 'e2', 'd3', 'e3', 'd4');
  await expect(page.locator('.banner.end')).toContainText('Red wins');
});

test('cars leave the board in Dodgem, and the last one wins the game', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'dodgem', variant: 'dodgem:3x3' });
  await click(page, 'a2-b2', 'b1-a1', 'a3-b3', 'c1-b1', 'b2-c2', 'b1-b2');
  // A car at the edge leaves when one points at it twice.
  await click(page, 'c2-c2', 'a1-b1', 'b3-c3', 'b1-c1');
  // Or it is pulled over the edge.
  await played(page, 10);
  const [car, board] = [await cell(page, 'c3').boundingBox(), await page.getByRole('grid').boundingBox()];
  if (!car || !board) throw new Error('no board');
  await page.mouse.move(car.x + car.width / 2, car.y + car.height / 2);
  await page.mouse.down();
  await page.mouse.move(board.x + board.width + 20, car.y + car.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(page.locator('.banner.end')).toContainText('White wins');
  await expect(page.locator('.banner.end')).toContainText('all cars have left');
});
