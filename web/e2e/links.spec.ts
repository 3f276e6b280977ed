// Addresses and reloads: what was there is there again, here and for whoever gets the link.
import { bundle } from './bundle';
import { banner, cell, click, moves, played, position, start } from './table';
import { expect, test, visit } from './world';

test('a reload in the middle of a game keeps everything, and the game goes on', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'tictactoe', second: 1, clock: '10+5' });
  await click(page, 'b2');
  await played(page, 2);
  const before = await moves(page);
  await page.reload();
  await played(page, 2);
  expect(await moves(page)).toEqual(before);
  await expect(banner(page)).toHaveText('Your turn');
  await expect(page.locator('.clock')).toHaveCount(2);
  await page.locator('[role=gridcell].can').first().click();
  await played(page, 4);
});

test('a reload while the computer thinks brings its move all the same', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'othello', variant: 'othello', second: 7 });
  await click(page, 'd3');
  await expect(banner(page)).toContainText('The computer is thinking');
  await page.reload();
  await played(page, 2);
});

test('a shared link opens the same position for somebody else', async ({ page, context, browser, watch, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit(page, '#/analyse?g=chess&m=e2e4,c7c5,g1f3');
  await played(page, 3);
  const here = await position(page);
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByText('The link is in the clipboard.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await browser.newContext({ baseURL });
  watch.on(other);
  await bundle(other);
  const theirs = await other.newPage();
  await theirs.goto(link);
  await played(theirs, 3);
  expect(await moves(theirs)).toEqual(['e4', 'c5', 'Nf3']);
  expect(await position(theirs)).toBe(here);
  await other.close();
});

test('the address says what is on the board, and steps back in the browser return', async ({ page }) => {
  await visit(page, '#/analyse?g=tictactoe');
  await click(page, 'b2');
  await expect(page).toHaveURL(/#\/analyse\?g=tictactoe&m=b2$/);
  await page.getByRole('link', { name: 'Learn' }).click();
  await expect(page.getByRole('heading', { name: 'Runs' })).toBeVisible();
  await page.goBack();
  await expect(cell(page, 'b2')).toHaveAccessibleName(/X/);
});

test('a link with an impossible move is explained and leaves a board that can be used', async ({ page, watch }) => {
  watch.allow(/status of 4\d\d/);
  await visit(page, '#/analyse?g=chess&m=e2e5');
  await expect(page.locator('.toast.error')).toContainText('e2e5');
  await expect(page.getByRole('grid')).toBeVisible();
  await page.locator('[role=gridcell].can').first().click();
  await expect(page.locator('[role=gridcell][aria-selected=true]').or(page.locator('.moves .move')).first()).toBeVisible();
});

test('a storage that holds nonsense does not break the page', async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('zug.table', '{"spec": 7, "tree": []}');
    localStorage.setItem('zug.match', '"?"');
    localStorage.setItem('zug.lines', '-3');
  });
  await visit(page);
  await expect(page.getByRole('heading', { name: 'New game' })).toBeVisible();
});

test('two tabs keep their own games', async ({ page, context }) => {
  await visit(page);
  await start(page, { game: 'tictactoe' });
  await click(page, 'b2');
  await played(page, 1);
  // A new tab begins with the last game, as soon as that is remembered, and goes its own way from there.
  await page.waitForFunction(() => (localStorage.getItem('zug.match') ?? 'null') !== 'null');
  const other = await context.newPage();
  await visit(other);
  await other.getByRole('button', { name: 'New game' }).click();
  await start(other, { game: 'othello', variant: 'othello:6x6' });
  await click(other, 'c2');
  await played(other, 1);
  await other.waitForTimeout(500);
  await page.reload();
  await played(page, 1);
  expect(await moves(page)).toEqual(['b2']);
});

test('a link with a bad move opens the game up to it', async ({ page, watch }) => {
  watch.allow(/status of 400 .*\/view/);
  await visit(page, '#/analyse?g=chess&m=e2e4,e7e5,zz');
  await played(page, 2);
  expect(await moves(page)).toEqual(['e4', 'e5']);
  await expect(page.locator('.toast.error')).toContainText('moves[2]');
});
