// The page on a phone: nothing sticks out, and a finger can play.
import { cell, moves, played, start } from './table';
import { expect, type Page, test, visit } from './world';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });

async function expectFit(page: Page): Promise<void> {
  const { inner, whole } = await page.evaluate(() => ({ inner: document.documentElement.clientWidth, whole: document.documentElement.scrollWidth }));
  expect(inner).toBe(390);
  expect(whole, 'nothing may be wider than the screen').toBeLessThanOrEqual(inner);
}

const PLACES = [
  '#/play', '#/analyse?g=chess&m=e2e4,e7e5', '#/analyse?g=go', '#/analyse?g=connect4', '#/explore?g=dodgem:3x3', '#/explore?g=othello', '#/learn?run=first&with=second',
];

for (const place of PLACES) {
  test(`${place} fits a phone`, async ({ page }) => {
    await visit(page, place);
    if (!place.startsWith('#/learn')) {
      const board = await page.getByRole('grid').boundingBox();
      expect(board?.x).toBeGreaterThanOrEqual(0);
      expect((board?.x ?? 0) + (board?.width ?? 0)).toBeLessThanOrEqual(390);
      expect(board?.width).toBeGreaterThan(340);
    } else {
      await expect(page.locator('.charts').getByText('· second').first()).toBeVisible();
    }
    await expectFit(page);
  });
}

test('a game is played by tapping', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'chess' });
  for (const name of ['e2', 'e4', 'e7', 'e5']) {
    await expect(cell(page, name)).toHaveAccessibleName(/possible/);
    await cell(page, name).tap();
  }
  await played(page, 2);
  expect(await moves(page)).toEqual(['e4', 'e5']);
  await expectFit(page);
});

test('on a board of small fields a finger aims first, and plays with a second tap', async ({ page }) => {
  await visit(page, '#/analyse?g=go');
  await cell(page, 'D4').tap();
  await expect(page.getByText('Tap again to play D4')).toBeVisible();
  await cell(page, 'D16').tap();
  await expect(page.getByText('Tap again to play D16')).toBeVisible();
  await played(page, 0);
  await cell(page, 'D16').tap();
  await played(page, 1);
  expect(await moves(page)).toEqual(['D16']);
  await expect(page.locator('.tap-again')).toHaveCount(0);
});

test('a position is set up, and a variant chosen, on a phone', async ({ page }) => {
  await visit(page, '#/analyse?g=chess');
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await expectFit(page);
  await cell(page, 'e2').tap();
  await expect(cell(page, 'e2')).toHaveAccessibleName(/white king/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Variant', { exact: true }).selectOption('…');
  await expectFit(page);
});

test('dialogs fit a phone', async ({ page }) => {
  await visit(page, '#/analyse?g=chess&m=e2e4');
  for (const name of ['Load', 'Save', 'Help', 'Players, event, result …']) {
    await page.getByRole('button', { name, exact: true }).click();
    const box = await page.getByRole('dialog').boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: 'Close' }).click();
    await expect(page.locator('dialog')).toHaveCount(0);
  }
});
