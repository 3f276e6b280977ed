// Exploring: what the book and the databases know.
import { click, moves, played } from './table';
import { expect, test, visit } from './world';

test('a database tells the value of every move, and a click plays it', async ({ page }) => {
  await visit(page, '#/explore?g=tictactoe');
  await expect(page.locator('table.explore tbody tr')).toHaveCount(9);
  await expect(page.locator('.position-value')).toContainText('draw');
  await expect(page.locator('.badge')).toHaveCount(9);
  await page.locator('table.explore').getByRole('button', { name: 'b2' }).click();
  await played(page, 1);
  expect(await moves(page)).toEqual(['b2']);
  await expect(page.locator('table.explore tbody tr')).toHaveCount(8);
  // The answer at an edge loses, the answer in a corner does not.
  await click(page, 'b1');
  await expect(page.locator('.position-value')).toContainText(/won/);
});

test('a database gives a random position of a value and a distance', async ({ page }) => {
  await visit(page, '#/explore?g=dodgem:3x3');
  await expect(page.locator('.histogram rect').first()).toBeVisible();
  await page.getByRole('group', { name: 'Value' }).getByRole('button', { name: 'Lost' }).click();
  await page.getByLabel('Distance', { exact: true }).selectOption({ index: 3 });
  const plies = await page.getByLabel('Distance', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'A random position' }).click();
  await expect(page.locator('.position-value')).toContainText('lost');
  await expect(page.locator('.position-value')).toContainText(plies);
});

test('the opening book of Othello knows the first moves', async ({ page }) => {
  await visit(page, '#/explore?g=othello&m=f5');
  await expect(page.locator('table.explore tbody tr').first()).toBeVisible();
  const first = page.locator('table.explore button').first();
  const move = await first.innerText();
  await first.click();
  await played(page, 2);
  expect(await moves(page)).toEqual(['f5', move]);
});

test('records of chess are searched by player, and a game opens', async ({ page }) => {
  await visit(page, '#/explore?g=chess');
  await expect(page.locator('table.explore tbody tr')).toHaveCount(2);
  await page.getByLabel('Player').fill('Clara');
  await page.getByLabel('Player').press('Enter');
  await expect(page.locator('table.explore tbody tr')).toHaveCount(1);
  await expect(page.locator('table.games')).toContainText('Clara');
  await page.locator('table.games').getByRole('button').first().click();
  await played(page, 4);
  expect(await moves(page)).toEqual(['d4', 'd5', 'c4', 'e6']);
  await expect(page.locator('.about')).toContainText('Clara – Anna · black won');
});

test('records of Go are searched by player and by corner, and a game opens with its komi', async ({ page }) => {
  await visit(page, '#/explore?g=go:9x9&m=E5');
  await expect(page.locator('table.explore tbody tr')).toHaveCount(1);
  await page.getByLabel('Player').fill('emil');
  await page.getByLabel('Player').press('Enter');
  await expect(page.locator('.filter')).toContainText('1 of 1 games');
  await page.getByLabel('How much of the board').selectOption('top-left');
  await expect(page.locator('table.games')).toContainText('Emil');
  await page.locator('table.games').getByRole('button').first().click();
  await played(page, 4);
  expect(await moves(page)).toEqual(['E5', 'C7', 'G3', 'C3']);
  await expect(page).toHaveURL(/komi/);
  await expect(page.locator('.about')).toContainText('Dora – Emil · black won');
});

test('an ending of chess is known exactly', async ({ page }) => {
  await visit(page, `#/explore?g=chess&s=${encodeURIComponent('8/8/8/4k3/8/8/8/R3K3 w - - 0 1')}`);
  await page.getByRole('button', { name: 'Database', exact: true }).click();
  await expect(page.locator('.position-value')).toContainText('mate in 14');
  await expect(page.locator('table.explore tbody tr').first()).toContainText('mate in 14');
});

test('a game of which nothing is known says so', async ({ page }) => {
  await visit(page, '#/explore?g=morris');
  await expect(page.locator('.explore-card')).toContainText('No book, no records and no database');
});
