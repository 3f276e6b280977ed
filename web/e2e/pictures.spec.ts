// Pictures of the page, kept under target/page; `scripts/page --pictures` takes those of the guide from there.
import { join } from 'node:path';
import { KEPT } from './server';
import { click, moves, played, start } from './table';
import { expect, type Page, test, visit } from './world';

async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => Promise.all(document.getAnimations().map((a) => a.effect?.getTiming().iterations !== Infinity ? a.finished.catch(() => undefined) : undefined)));
  await page.screenshot({ path: join(KEPT, `${name}.png`) });
}

async function analyse(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Analysis' }).click();
  await expect.poll(async () => Number(/depth (\d+)/.exec(await page.locator('.engine-status').innerText())?.[1] ?? 0)).toBeGreaterThan(4);
}

test.use({ viewport: { width: 1200, height: 760 } });

test('picture: a game of Othello', async ({ page }) => {
  await visit(page, '#/analyse?g=othello&m=f5,d6,c3,d3,c4,f4,c5,b3,c2,e6,c6,b4,b5,d2,e3,a6');
  await played(page, 16);
  await page.getByRole('button', { name: 'Play from here' }).click();
  await expect(page.locator('.banner')).toHaveText('Your turn');
  await picture(page, 'play-othello');
});

test('picture: a game of chess under analysis', async ({ page }) => {
  await visit(page, '#/analyse?g=chess&m=e2e4,e7e5,g1f3,b8c6,f1c4,c6d4,f3e5,d8g5,e5f7,g5g2,h1f1,g2e4,c4e2,d4f3');
  await played(page, 14);
  await page.getByLabel('Time for each position').selectOption('100');
  await page.getByRole('button', { name: 'Judge' }).click();
  await expect(page.getByRole('button', { name: 'Judge' })).toBeVisible();
  await page.locator('.move').nth(4).click();
  await page.getByRole('switch', { name: 'Every move' }).click();
  await analyse(page);
  await picture(page, 'analyse-chess');
});

test('picture: likely moves in Go', async ({ page }) => {
  await visit(page, '#/analyse?g=go&m=Q16,D4,Q3,D16,R5,C14,F3');
  await played(page, 7);
  await page.getByRole('switch', { name: 'Likely moves' }).click();
  await expect(page.locator('.heat circle').first()).toBeVisible();
  await picture(page, 'likely-go');
});

test('picture: a database of Dodgem', async ({ page }) => {
  await visit(page, '#/explore?g=dodgem:3x3&m=a2-b2');
  await expect(page.locator('.histogram rect').first()).toBeVisible();
  await expect(page.locator('.badge').first()).toBeVisible();
  await picture(page, 'explore-dodgem');
});

test('picture: two runs side by side', async ({ page }) => {
  await visit(page, '#/learn?run=first&with=second');
  await expect(page.locator('.charts').getByText('· second').first()).toBeVisible();
  await picture(page, 'learn');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });

  test('picture: Connect Four on a phone', async ({ page }) => {
    await visit(page);
    await start(page, { game: 'connect4', variant: 'connect4', second: 2 });
    await click(page, 'd1');
    await played(page, 2);
    expect((await moves(page))[0]).toBe('d');
    await picture(page, 'phone');
  });
});
