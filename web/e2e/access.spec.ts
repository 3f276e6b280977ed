// Can everybody use it? Every page and dialog, light and dark, wide and narrow, is looked at by axe.
import AxeBuilder from '@axe-core/playwright';
import { cell, click, played, start } from './table';
import { expect, type Page, test, visit } from './world';

/** Nothing serious or critical may be found. */
async function look(page: Page, what: string): Promise<void> {
  // A colour halfway through a change is no colour of ours.
  await page.evaluate(() => Promise.all(document.getAnimations().map((a) => a.playState === 'running' && a.effect?.getTiming().iterations !== Infinity ? a.finished.catch(() => undefined) : undefined)));
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${v.nodes.slice(0, 4).map((n) => `${n.html.slice(0, 160)} ${n.any[0]?.message ?? ''}`).join(' | ')}`);
  expect.soft(found, what).toEqual([]);
}

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.locator('dialog')).toHaveCount(0);
}

const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };

for (const scheme of ['light', 'dark'] as const) {
  for (const size of ['wide', 'narrow'] as const) {
    test.describe(`${scheme}, ${size}`, () => {
      test.use({ colorScheme: scheme, viewport: SIZES[size] });

      test(`playing is for everybody (${scheme}, ${size})`, async ({ page }) => {
        await visit(page);
        await expect(page.getByRole('slider')).toBeVisible();
        await look(page, 'a new game');
        await start(page, { game: 'tictactoe', clock: '1+0' });
        await click(page, 'a3', 'a2', 'b3');
        await played(page, 3);
        await look(page, 'a game that goes on');
        await page.getByRole('button', { name: 'To the start' }).click();
        await look(page, 'looking back');
        await page.getByRole('button', { name: 'To the game' }).click();
        await click(page, 'b2', 'c3');
        await expect(page.locator('.banner.end')).toBeVisible();
        await look(page, 'the end of a game');
      });

      test(`analysing is for everybody (${scheme}, ${size})`, async ({ page }) => {
        await visit(page, '#/analyse?g=chess&m=f2f3,e7e5,g2g4,d8h4');
        await played(page, 4);
        await page.getByLabel('Time for each position').selectOption('100');
        await page.getByRole('button', { name: 'Judge' }).click();
        await expect(page.locator('.move.blunder')).toBeVisible();
        await page.getByLabel('Comment on this position').fill('the end');
        await page.locator('.move').first().click();
        await page.getByRole('switch', { name: 'Every move' }).click();
        await page.getByRole('switch', { name: 'Analysis' }).click();
        await expect(page.locator('.badge').first()).toBeVisible();
        await click(page, 'd7-d5');
        await expect(page.locator('.variation')).toBeVisible();
        await expect(page.locator('.badge').first()).toBeVisible();
        await look(page, 'a game under analysis');
      });

      test(`exploring and learning are for everybody (${scheme}, ${size})`, async ({ page }) => {
        await visit(page, '#/explore?g=dodgem:3x3');
        await expect(page.locator('.histogram rect').first()).toBeVisible();
        await expect(page.locator('table.explore tbody tr').first()).toBeVisible();
        await page.getByText('Longest wins').click();
        await look(page, 'a database');
        await visit(page, '#/explore?g=othello');
        await expect(page.locator('table.explore tbody tr').first()).toBeVisible();
        await look(page, 'a book');
        await visit(page, '#/explore?g=chess');
        await expect(page.locator('table.games tbody tr').first()).toBeVisible();
        await look(page, 'records');
        await visit(page, '#/learn?run=first&with=second');
        await expect(page.locator('.charts').getByText('· second').first()).toBeVisible();
        await look(page, 'two runs');
      });

      test(`dialogs are for everybody (${scheme}, ${size})`, async ({ page, watch }) => {
        watch.allow(/status of 4\d\d/);
        await visit(page, `#/analyse?g=chess&s=${encodeURIComponent('8/4P1k1/8/8/8/8/8/4K3 w - - 0 1')}`);
        await click(page, 'e7-e8');
        await look(page, 'the choice of a promotion');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await look(page, 'saving');
        await close(page);
        await page.getByRole('button', { name: 'Help' }).click();
        await look(page, 'the help');
        await close(page);
        await page.getByRole('button', { name: 'Load', exact: true }).click();
        await page.getByRole('dialog').getByRole('textbox').fill('[Event "?"]\n\n1. e4 e5 2. Ke5 *');
        await page.getByRole('button', { name: 'Read' }).click();
        await expect(page.getByRole('alert')).toBeVisible();
        await look(page, 'loading, with a problem');
        await page.getByRole('dialog').getByRole('textbox').fill('[Event "A"]\n\n1. e4 *\n\n[Event "B"]\n\n1. d4 *\n');
        await page.getByRole('button', { name: 'Read' }).click();
        await expect(page.getByRole('dialog', { name: '2 games' })).toBeVisible();
        await look(page, 'a choice of games');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Players, event, result …' }).click();
        await look(page, 'the head of a game');
        await close(page);
        await page.getByLabel('Draw on the board').selectOption('square');
        await cell(page, 'd4').click();
        await look(page, 'a drawing');
        await page.getByLabel('Variant', { exact: true }).selectOption('…');
        await look(page, 'the form of a variant');
        await page.getByRole('button', { name: 'Set up a position' }).click();
        await look(page, 'a position in the making');
      });
    });
  }
}
