// A server that goes away and comes back.
import { serve } from './server';
import { cell, click, moves, played } from './table';
import { expect, test } from './world';

test('the page says that the server is gone, and goes on when it is back', async ({ page, watch }) => {
  watch.allow(/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|Failed to fetch/);
  const first = await serve(0);
  watch.own(first.address);
  await page.goto(`${first.address}/#/analyse?g=tictactoe&m=b2`);
  await expect(cell(page, 'a1')).toHaveAccessibleName(/possible/);
  expect(await first.stop()).toBe(0);
  await click(page, 'a1');
  const offline = page.getByText('The server does not answer.');
  await expect(offline).toBeVisible();
  const second = await serve(Number(new URL(first.address).port));
  try {
    await expect(offline).toHaveCount(0);
    // The move that was made meanwhile counts.
    await click(page, 'c3');
    await played(page, 3);
    expect(await moves(page)).toEqual(['b2', 'a1', 'c3']);
  } finally {
    expect(await second.stop()).toBe(0);
  }
});

test('a server ends at once although somebody analyses', async ({ page, watch }) => {
  watch.allow(/ERR_|Failed to fetch|network error/);
  const server = await serve(0);
  watch.own(server.address);
  await page.goto(`${server.address}/#/analyse?g=chess`);
  await page.getByRole('switch', { name: 'Analysis' }).click();
  await expect(page.locator('.lines .line').first()).toBeVisible();
  expect(await server.stop()).toBe(0);
  // The stream was closed in good order; the next question finds nobody.
  await page.getByRole('switch', { name: 'Analysis' }).click();
  await page.getByRole('switch', { name: 'Analysis' }).click();
  await expect(page.getByText('The server does not answer.')).toBeVisible();
});
