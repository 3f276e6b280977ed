// A game against the computer and what goes with it: answers, take back, hint, resign, the clock.
import { banner, cell, click, moves, played, start } from './table';
import { expect, test, visit } from './world';

test('the computer answers a move', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'othello', variant: 'othello', second: 1 });
  await expect(banner(page)).toHaveText('Your turn');
  await click(page, 'd3');
  await played(page, 2);
  await expect(banner(page)).toHaveText('Your turn');
});

test('the computer begins where a person has the second side, and chess is seen from there', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'chess', first: 1 });
  await played(page, 1);
  const [white, black] = [await cell(page, 'e1').boundingBox(), await cell(page, 'e8').boundingBox()];
  expect(white?.y).toBeLessThan(black?.y ?? 0);
});

test('a first move on the board begins a game without Start', async ({ page }) => {
  await visit(page);
  await click(page, 'd3');
  await expect(page.getByRole('button', { name: 'Resign' })).toBeVisible();
  expect((await moves(page))[0]).toBe('d3');
});

test('taking back against the computer takes its answer back too', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'tictactoe', second: 1 });
  await click(page, 'b2');
  await played(page, 2);
  await page.getByRole('button', { name: 'Take back' }).click();
  await played(page, 0);
  await expect(cell(page, 'b2')).toHaveAccessibleName(/empty, possible/);
});

test('taking back between two people takes back one move, also after the end', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'tictactoe' });
  await click(page, 'a3', 'a2', 'b3', 'b2', 'c3');
  await expect(page.locator('.banner.end')).toBeVisible();
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(banner(page)).toHaveText('X to move');
  expect(await moves(page)).toEqual(['a3', 'a2', 'b3', 'b2']);
});

test('taking back one\'s own last move against the computer leaves the computer\'s before it', async ({ page }) => {
  await visit(page, '#/analyse?g=tictactoe&m=a3,a1,b3,b1');
  await played(page, 4);
  await page.getByRole('button', { name: 'Play from here' }).click();
  await click(page, 'c3');
  await expect(page.locator('.banner.end')).toBeVisible();
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(banner(page)).toHaveText('Your turn');
  expect(await moves(page)).toEqual(['a3', 'a1', 'b3', 'b1']);
});

test('taking back does not cut a game that was there before', async ({ page }) => {
  await visit(page, '#/analyse?g=chess&m=e2e4,e7e5,g1f3,b8c6');
  await played(page, 4);
  await page.getByRole('button', { name: 'Play from here' }).click();
  await expect(banner(page)).toHaveText('Your turn');
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(banner(page)).toHaveText('Your turn');
  await expect(page.locator('.move.current')).toHaveText('e5');
  expect(await moves(page)).toEqual(['e4', 'e5', 'Nf3', 'Nc6']);
});

test('the weakest level moves as the dice fall', async ({ page }) => {
  const first = new Set<string>();
  await visit(page);
  for (let i = 0; i < 5; i++) {
    await start(page, { game: 'go', variant: 'go:9x9', first: 0 });
    await played(page, 1);
    first.add((await moves(page))[0] ?? '');
    await page.getByRole('button', { name: 'New game' }).click();
  }
  expect(first.size).toBeGreaterThan(1);
});

test('a hint is drawn on the board and not played', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'othello', variant: 'othello:6x6' });
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.locator('.arrows .ring')).toHaveCount(1);
  await played(page, 0);
  await click(page, 'c2');
  await expect(page.locator('.arrows .ring')).toHaveCount(0);
});

test('whoever resigns loses, and the saved game says so', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'chess' });
  await click(page, 'e2-e4', 'e7-e5');
  await played(page, 2);
  await expect(banner(page)).toHaveText('White to move');
  await page.getByRole('button', { name: 'Resign' }).click();
  await expect(page.locator('.banner.end')).toContainText('Black wins');
  await expect(page.locator('.banner.end')).toContainText('white resigned');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PGN' }).click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toContain('0-1');
  expect(Buffer.concat(chunks).toString()).toContain('[White "Player"]');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await expect(page.locator('.about')).toContainText('Player – Player · black won');
});

test('a clock ticks for whoever is to move, and whoever runs out of time loses', async ({ page }) => {
  await page.clock.install();
  await visit(page);
  await start(page, { game: 'tictactoe', clock: '1+0' });
  const [theirs, own] = [page.locator('.clock').first(), page.locator('.clock').last()];
  await expect(own).not.toHaveText('1:00');
  await expect(theirs).toHaveText('1:00');
  await click(page, 'b2');
  await expect(theirs).not.toHaveText('1:00');
  await page.clock.fastForward('01:05');
  await expect(page.locator('.banner.end')).toContainText('X wins');
  await expect(page.locator('.banner.end')).toContainText('O ran out of time');
});

test('two computers can be stopped and go on', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'othello', variant: 'othello:6x6', first: 0, second: 0 });
  await expect(page.locator('.moves .move').nth(2)).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(banner(page)).toHaveText('Paused');
  const before = (await moves(page)).length;
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect.poll(async () => (await moves(page)).length).toBeGreaterThan(before);
});

test('looking back does not disturb the game', async ({ page }) => {
  await visit(page);
  await start(page, { game: 'tictactoe' });
  await click(page, 'b2', 'a1');
  await played(page, 2);
  await page.getByRole('button', { name: 'To the start' }).click();
  await expect(banner(page)).toContainText('You are looking back.');
  await expect(page.locator('[role=gridcell].can')).toHaveCount(0);
  await page.getByRole('button', { name: 'To the game' }).click();
  await expect(banner(page)).toHaveText('X to move');
  await played(page, 2);
});
