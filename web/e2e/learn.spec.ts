// Learning: the runs, their curves, two of them side by side, their reports.
import { expect, test, visit } from './world';

test('the runs are listed, and the curves of one are drawn', async ({ page }) => {
  await visit(page, '#/learn');
  await expect(page.locator('.runs .choice button')).toHaveCount(2);
  await page.locator('.runs').getByRole('button', { name: /first/ }).click();
  await expect(page.locator('.charts path.series').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'first' })).toBeVisible();
});

test('two runs are compared in the same charts, and the address remembers it', async ({ page }) => {
  await visit(page, '#/learn?run=first');
  await expect(page.locator('.charts path.series').first()).toBeVisible();
  await expect(page.locator('.charts').getByText('· second')).toHaveCount(0);
  await page.getByLabel('Compare with').selectOption('second');
  await expect(page.locator('.charts').getByText('· second').first()).toBeVisible();
  await expect(page).toHaveURL(/run=first&with=second/);
  await page.reload();
  await expect(page.locator('.charts').getByText('· second').first()).toBeVisible();
});

test('the report of a run opens as a page of its own', async ({ page, context }) => {
  await visit(page, '#/learn?run=first');
  const [report] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'Report' }).click()]);
  await expect(report.locator('svg').first()).toBeVisible();
});

test('an address that is typed while the page is open shows its runs', async ({ page }) => {
  await visit(page, '#/learn?run=first');
  await expect(page.getByRole('heading', { name: 'first' })).toBeVisible();
  await page.evaluate(() => { window.location.hash = '#/learn?run=second&with=first'; });
  await expect(page.getByRole('heading', { name: 'second' })).toBeVisible();
  await expect(page.getByLabel('Compare with')).toHaveValue('first');
});

test('weights are shown as boards, and two runs with their difference', async ({ page }) => {
  await visit(page, '#/learn?run=first');
  const boards = page.locator('table.weight-board');
  await expect(boards.first()).toBeVisible();
  const alone = await boards.count();
  await expect(boards.first().locator('td').first()).toHaveText(/\d/);
  await page.getByLabel('Compare with').selectOption('second');
  await expect.poll(() => boards.count()).toBeGreaterThan(alone);
  await expect(page.locator('table.weight-board caption', { hasText: /minus|−|difference/i }).first()).toBeVisible();
});
