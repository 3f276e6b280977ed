// What makes the page pleasant: turning the board, colours, sound, keys.
import { type Locator } from '@playwright/test';
import { cell, click, moves, played, start } from './table';
import { expect, type Page, test, visit } from './world';

test('the board can be turned round, and stays so', async ({ page }) => {
  await visit(page, '#/analyse?g=chess');
  const top = async (name: string): Promise<number> => (await cell(page, name).boundingBox())?.y ?? -1;
  expect(await top('a8')).toBeLessThan(await top('a1'));
  await page.getByRole('button', { name: 'Flip the board' }).click();
  await expect.poll(async () => (await top('a8')) > (await top('a1'))).toBe(true);
  await click(page, 'e2-e4');
  await expect(cell(page, 'e4')).toHaveAccessibleName(/white pawn/);
  await page.reload();
  await expect(cell(page, 'a1')).toBeVisible();
  expect(await top('a8')).toBeGreaterThan(await top('a1'));
});

test('the page is silent until sound is wanted', async ({ page }) => {
  await page.addInitScript(() => {
    const counted = window as unknown as { tones: number };
    counted.tones = 0;
    const make = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function (this: AudioContext) { counted.tones += 1; return make.call(this); };
  });
  const tones = (): Promise<number> => page.evaluate(() => (window as unknown as { tones: number }).tones);
  await visit(page);
  const button = page.getByRole('button', { name: 'Sound' });
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await start(page, { game: 'tictactoe' });
  await click(page, 'b2', 'a1');
  await played(page, 2);
  expect(await tones()).toBe(0);
  await button.click();
  await click(page, 'c3', 'a3');
  await expect.poll(tones).toBeGreaterThan(0);
});

test('colours follow the system, and the person where they choose', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await visit(page);
  const light = (): Promise<boolean> => page.evaluate(() => {
    const [r = 0] = (/\d+/.exec(getComputedStyle(document.body).backgroundColor) ?? []).map(Number);
    return r > 128;
  });
  expect(await light()).toBe(false);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await light()).toBe(true);
  const button = page.getByRole('button', { name: 'Colours' });
  await button.click();
  await expect(button).toHaveAccessibleName('Colours: light');
  await button.click();
  await expect(button).toHaveAccessibleName('Colours: dark');
  expect(await light()).toBe(false);
  await page.reload();
  await expect(button).toHaveAccessibleName('Colours: dark');
  expect(await light()).toBe(false);
});

/** Goes on with Tab until the thing has the focus, as somebody without a mouse must. */
async function tabTo(page: Page, thing: Locator): Promise<void> {
  for (let i = 0; i < 60; i++) {
    if (await thing.evaluate((e) => e === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard does not get there.');
}

test('a whole game can be played without a mouse', async ({ page }) => {
  await visit(page, '#/analyse?g=tictactoe');
  await tabTo(page, page.getByRole('link', { name: 'Play' }));
  await page.keyboard.press('Enter');
  const second = page.locator('.seat-choice').nth(1);
  await tabTo(page, second.getByRole('button', { name: 'You' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Start', exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(page, cell(page, 'a3'));
  const go = async (...keys: string[]): Promise<void> => { for (const key of keys) await page.keyboard.press(key); };
  const steps: [string[], string][] = [
    [['Enter'], 'a3'], [['ArrowDown', ' '], 'a2'], [['ArrowUp', 'ArrowRight', 'Enter'], 'b3'], [['ArrowDown', 'Enter'], 'b2'], [['ArrowUp', 'ArrowRight', 'Enter'], 'c3'],
  ];
  for (const [i, [keys, name]] of steps.entries()) {
    await expect(cell(page, name)).toHaveAccessibleName(/possible/);
    await go(...keys);
    await played(page, i + 1);
  }
  expect(await moves(page)).toEqual(['a3', 'a2', 'b3', 'b2', 'c3']);
  await expect(page.locator('.banner.end')).toContainText('X wins');
});

test('a move of two cells can be played by keyboard, and Escape lets the piece go', async ({ page }) => {
  await visit(page, '#/analyse?g=chess');
  await cell(page, 'e2').focus();
  await page.keyboard.press('Enter');
  await expect(cell(page, 'e2')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(cell(page, 'e2')).toHaveAttribute('aria-selected', 'false');
  for (const key of ['Enter', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await played(page, 1);
  expect(await moves(page)).toEqual(['e4']);
});

test('keys go through the game, turn the board and list themselves', async ({ page }) => {
  await visit(page, '#/analyse?g=tictactoe&m=b2,a1,c3');
  const ply = page.locator('.ply');
  await expect(ply).toHaveText('move 3');
  await page.keyboard.press('ArrowLeft');
  await expect(ply).toHaveText('move 2');
  await page.keyboard.press('Home');
  await expect(ply).toHaveText('start');
  await page.keyboard.press('ArrowRight');
  await expect(ply).toHaveText('move 1');
  await page.keyboard.press('End');
  await expect(ply).toHaveText('move 3');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys and settings' });
  await expect(help).toBeVisible();
  // Under a dialog the keys are not for the board.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Escape');
  // The browser hides it before the page hears of that.
  await expect(page.locator('dialog')).toHaveCount(0);
  await expect(ply).toHaveText('move 3');
  await page.getByRole('link', { name: 'Play' }).click();
  await expect(ply).toHaveText('move 3');
  await page.keyboard.press('n');
  await expect(page.getByRole('heading', { name: 'New game' })).toBeVisible();
  await expect(ply).toHaveText('start');
});
