// Games that are solved: exact values, players that never err, the end of a game of Go, any player.
import { banner, click, moves, pieces, played, start } from './table';
import { expect, test, visit } from './world';

test('a game that is small is solved without a database, and every move has its exact value', async ({ page }) => {
  await visit(page, '#/analyse?g=hexapawn');
  await page.getByRole('switch', { name: 'Every move' }).click();
  await page.getByRole('switch', { name: 'Analysis' }).click();
  await expect(page.locator('.engine-status')).toContainText('exact');
  await expect(page.locator('.lines .value').first()).toHaveText(/^(won|lost) in \d+$/);
  await expect(page.locator('.badge').first()).toHaveText(/^[WL]\d+$/);
});

test('an ending of chess is known to the mate', async ({ page }) => {
  await visit(page, `#/analyse?g=chess&s=${encodeURIComponent('8/8/8/4k3/8/8/8/K6Q w - - 0 1')}`);
  await page.getByRole('switch', { name: 'Analysis' }).click();
  await expect(page.locator('.lines .value').first()).toHaveText(/^mate in \d+$/);
  await expect(page.locator('.engine-status')).toContainText('exact');
});

test('the strongest level never errs: nobody wins against it', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'tictactoe', first: 11, second: 11 });
  await expect(page.locator('.seat').first()).toContainText('perfect, sets traps');
  await expect(page.locator('.banner.end')).toContainText('Draw');
  await played(page, 9);
});

test('any player can be written out, and nonsense is explained', async ({ page, watch }) => {
  watch.allow(/status of 400 .*\/move/);
  await visit(page);
  await page.getByLabel('Game', { exact: true }).selectOption('tictactoe');
  const seat = page.locator('.seat-choice').nth(1);
  await seat.getByLabel(/Kind of player/).selectOption('mcts');
  await expect(seat.locator('.player-help')).toContainText('playouts=N');
  await seat.getByRole('textbox').fill('mcts:playouts=50');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await click(page, 'b2');
  await played(page, 2);
  await page.getByRole('button', { name: 'New game' }).click();
  await seat.getByRole('textbox').fill('mcts:file=x');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await click(page, 'b2');
  await expect(page.locator('.toast.error').first()).toContainText('found \'file\'');
  await expect(banner(page)).toContainText('Paused');
});

test('dead stones are taken off before a game of Go is counted', async ({ page }) => {
  // A white stone in the corner of black ground; both pass.
  await visit(page, '#/analyse?g=go:5x5&m=C3,A1,B2,E5,D4,pass,A3,pass,C1,pass,pass');
  await expect(page.locator('.engine-status')).toContainText(/Black wins by/);
  await expect(page.locator('.piece.dead')).toHaveCount(2);
  await expect(pieces(page)).toHaveCount(7);
  expect((await moves(page)).at(-1)).toBe('pass');
});
