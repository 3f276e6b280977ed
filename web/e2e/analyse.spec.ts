// Analysing: live lines, values on the board, the course of a game.
import { cell, click, moves, played } from './table';
import { expect, type Page, test, visit } from './world';

async function depth(page: Page): Promise<number> {
  return Number(/depth (\d+)/.exec(await page.locator('.engine-status').innerText())?.[1] ?? 0);
}

async function analyse(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Analysis' }).click();
  await expect(page.locator('.lines .line').first()).toBeVisible();
}

test('live analysis shows lines that deepen, and stops when it is switched off', async ({ page }) => {
  await visit(page, '#/analyse?g=chess&m=e2e4');
  await analyse(page);
  await expect(page.locator('.lines .line')).toHaveCount(3);
  const first = await depth(page);
  expect(first).toBeGreaterThan(0);
  await expect.poll(() => depth(page)).toBeGreaterThan(first);
  await expect(page.locator('.chance')).toHaveAccessibleName(/white wins with \d+ percent/);
  await page.getByRole('button', { name: 'Fewer lines' }).click();
  await expect(page.locator('.lines .line')).toHaveCount(2);
  await page.getByRole('switch', { name: 'Analysis' }).click();
  await expect(page.locator('.engine-status')).toContainText('stopped');
});

test('analysis follows the board', async ({ page }) => {
  await visit(page, '#/analyse?g=othello:6x6');
  await analyse(page);
  // Otherwise another move may be the best one before the click arrives.
  await page.getByRole('switch', { name: 'Analysis' }).click();
  const best = page.locator('.lines .line').first().locator('.pv').first();
  const move = await best.innerText();
  await best.click();
  await played(page, 1);
  expect(await moves(page)).toEqual([move]);
  await expect(page.locator('.lines .line')).toHaveCount(0);
  await analyse(page);
  await expect(best).not.toHaveText(move);
});

test('every move on the board has its value, and the best one is marked', async ({ page }) => {
  await visit(page, '#/analyse?g=othello&m=f5');
  await page.getByRole('switch', { name: 'Every move' }).click();
  await analyse(page);
  await expect(page.locator('.badge')).toHaveCount(3);
  await expect(page.locator('.badge.best').first()).toBeVisible();
});

test('in chess a piece that is selected shows the values of its moves', async ({ page }) => {
  await visit(page, '#/analyse?g=chess');
  await page.getByRole('switch', { name: 'Every move' }).click();
  await analyse(page);
  await expect(page.locator('.badge')).toHaveCount(10);
  await click(page, 'e2');
  await expect(page.locator('.badge')).toHaveCount(2);
});

test('a line under the pointer is drawn on the board', async ({ page }) => {
  await visit(page, '#/analyse?g=chess');
  await analyse(page);
  await expect.poll(() => depth(page)).toBeGreaterThan(3);
  await expect(page.locator('.arrow')).toHaveCount(1);
  await page.getByRole('switch', { name: 'Analysis' }).click();
  await page.locator('.lines .line').first().locator('.pv').nth(2).hover();
  await expect(page.locator('.arrow')).toHaveCount(3);
  await page.mouse.move(0, 0);
  await expect(page.locator('.arrow')).not.toHaveCount(3);
});

test('a line of a placing game is drawn as numbered stones', async ({ page }) => {
  await visit(page, '#/analyse?g=othello');
  await analyse(page);
  await expect.poll(() => depth(page)).toBeGreaterThan(3);
  await page.getByRole('switch', { name: 'Analysis' }).click();
  await page.locator('.lines .line').first().locator('.pv').nth(2).hover();
  await expect(page.locator('.ghost-number')).toHaveText(['1', '2', '3']);
});

test('a game is judged: its course is drawn and the blunder is marked', async ({ page }) => {
  await visit(page, '#/analyse?g=chess&m=f2f3,e7e5,g2g4,d8h4');
  await played(page, 4);
  await page.getByLabel('Time for each position').selectOption('100');
  await page.getByRole('button', { name: 'Judge' }).click();
  await expect(page.locator('.curve-line')).toHaveAttribute('d', /^M[^L]*(L[^L]*){4}$/);
  await expect(page.locator('.move.blunder')).toHaveText(['g4??']);
  await expect(page.locator('.summary p').first()).toContainText('1 blunder');
  await expect(page.locator('.summary p').last()).toContainText('0 blunders');
  await page.getByRole('button', { name: 'blunder at move 3' }).click();
  await expect(page.locator('.move.current')).toHaveText('g4??');
  await expect(cell(page, 'h4')).toHaveAccessibleName(/empty/);
});

test('likely moves in Go are drawn as a map of heat', async ({ page }) => {
  await visit(page, '#/analyse?g=go&m=Q16,D4');
  await page.getByRole('switch', { name: 'Likely moves' }).click();
  await expect(page.locator('.heat circle')).toHaveCount(20);
  await expect(page.locator('.heat text').first()).toHaveText(/^\d+$/);
});

test('another move than the one of the game becomes a variation', async ({ page }) => {
  await visit(page, '#/analyse?g=tictactoe&m=b2,a1');
  await played(page, 2);
  await page.keyboard.press('ArrowLeft');
  await click(page, 'c3');
  await expect(page.locator('.variation .move')).toHaveText(/c3/);
  await expect(cell(page, 'c3')).toHaveAccessibleName(/O/);
  await expect(cell(page, 'a1')).toHaveAccessibleName(/empty/);
});

test('a position that was analysed can be played on from', async ({ page }) => {
  await visit(page, '#/analyse?g=tictactoe&m=b2,a1');
  await played(page, 2);
  await page.getByRole('button', { name: 'Play from here' }).click();
  await expect(page.getByRole('button', { name: 'Resign' })).toBeVisible();
  await click(page, 'c3');
  await expect.poll(async () => (await moves(page)).slice(0, 3)).toEqual(['b2', 'a1', 'c3']);
});
