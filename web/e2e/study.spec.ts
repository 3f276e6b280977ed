// Studying a game: variations and marks in files, reports for others.
import { readFileSync } from 'node:fs';
import type { Locator } from '@playwright/test';
import { cell, moves, played } from './table';
import { expect, type Page, test, visit } from './world';

const STUDY = '[White "Anna"]\n[Black "Bert"]\n\n{opening} 1. e4 e5 (1... c5 {Sicilian} 2. Nf3 (2. c3) d6) 2. Nf3 $1 *\n';

async function load(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** What a press of the button downloads. */
async function fetched(page: Page, button: Locator): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

test('variations, comments and marks of a file are shown, and saved again', async ({ page }) => {
  await visit(page, '#/analyse?g=chess');
  await load(page, 'study.pgn', STUDY);
  await played(page, 7);
  await expect(page.locator('.variation').first()).toContainText('Sicilian');
  await expect(page.locator('.moves .move', { hasText: 'Nf3!' })).toHaveCount(1);
  await page.locator('.moves .move', { hasText: 'c3' }).click();
  await expect(cell(page, 'c3')).toHaveAccessibleName(/white pawn/);
  await page.getByLabel('Mark of this move').selectOption('?!');
  await expect(page.locator('.move.current')).toHaveText(/c3\?!/);
  // Whoever looks at a variation saves the same game.
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const { text } = await fetched(page, page.getByRole('button', { name: 'PGN', exact: true }));
  expect(text).toContain('(1... c5 {Sicilian} 2. Nf3 (2. c3 $6) 2... d6)');
  expect(text).toContain('2. Nf3 $1');
  expect(text).toContain('[White "Anna"]');
});

test('variations in SGF keep the komi of the file', async ({ page }) => {
  await visit(page, '#/analyse?g=go');
  await load(page, 'x.sgf', '(;GM[1]SZ[9]KM[0.5];B[ee](;W[cc];B[gg])(;W[gc]C[or here]))');
  await played(page, 4);
  await expect(page.locator('.variation')).toContainText('or here');
  await expect(page).toHaveURL(/komi/);
});

test('a report is a page that stands alone, and a file with marks and better lines', async ({ page, context }) => {
  await visit(page, '#/analyse?g=chess&m=f2f3,e7e5,g2g4,d8h4');
  await played(page, 4);
  await page.getByLabel('Time for each position').selectOption('100');
  await page.getByRole('button', { name: 'Judge' }).click();
  await expect(page.locator('.move.blunder')).toHaveText(['g4??']);
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  const html = await fetched(page, page.getByRole('button', { name: 'Page (HTML)' }));
  expect(html.name).toBe('chess.html');
  // As a reader without the server sees it.
  const alone = await context.newPage();
  await alone.setContent(html.text);
  await expect(alone.getByRole('heading', { name: /g4\?\?/ })).toBeVisible();
  await expect(alone.getByRole('img', { name: 'The board before move 3' })).toBeVisible();
  await expect(alone.getByText('black won')).toBeVisible();
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  const pgn = await fetched(page, page.getByRole('button', { name: 'PGN with remarks' }));
  expect(pgn.text).toMatch(/2\. g4 \$4\s+\{[^}]*blunder/);
  expect(pgn.text).toMatch(/\(2\. /);
});

test('a report of a game that nobody judged is judged first', async ({ page }) => {
  await visit(page, '#/analyse?g=tictactoe&m=a1,b1');
  await played(page, 2);
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  const { text } = await fetched(page, page.getByRole('button', { name: 'Page (HTML)' }));
  expect(text).toContain('b1??');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await moves(page)).toEqual(['a1', 'b1??']);
});

test('the result that a file states is shown and saved again', async ({ page }) => {
  await visit(page, '#/analyse?g=chess');
  await load(page, 'won.pgn', '[White "Anna"]\n[Black "Bert"]\n[Date "1997.??.??"]\n\n1. e4 e5 {[%clk 0:10:00] solid} 2. Nf3 1-0\n');
  await played(page, 3);
  await expect(page.locator('.about')).toHaveText('Anna – Bert · white won · 1997');
  // Commands are for programs: they are kept, and not shown.
  await expect(page.locator('.moves .comment')).toHaveText('solid');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const { text } = await fetched(page, page.getByRole('button', { name: 'PGN', exact: true }));
  expect(text).toContain('[Result "1-0"]');
  expect(text).toContain('{[%clk 0:10:00] solid}');
});

test('what was deleted or put away can be had back, and a wrong variant costs nothing', async ({ page, watch }) => {
  watch.allow(/status of 4\d\d/);
  await visit(page, '#/analyse?g=chess');
  await load(page, 'study.pgn', STUDY);
  await played(page, 7);
  await page.keyboard.press('n');
  await played(page, 7);
  await page.locator('.move-row .move').nth(1).click();
  await page.getByRole('button', { name: 'Delete from here' }).click();
  await played(page, 5);
  await page.getByRole('button', { name: 'Undo' }).click();
  await played(page, 7);
  await page.getByLabel('Variant', { exact: true }).selectOption('…');
  await page.getByLabel('No. (960)', { exact: true }).fill('5000');
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  await expect(page.locator('.variant-form').getByRole('alert')).toContainText('959');
  await expect(page.getByLabel('No. (960)', { exact: true })).toHaveValue('5000');
  await played(page, 7);
  await page.getByLabel('No. (960)', { exact: true }).fill('10');
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  await played(page, 0);
  await page.keyboard.press('Control+z');
  await played(page, 7);
  await expect(cell(page, 'a1')).toHaveAccessibleName(/white rook/);
});
