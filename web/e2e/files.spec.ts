// Games in and out: saving and loading, pasting and dropping, also what is broken.
import { readFileSync } from 'node:fs';
import { moves, played } from './table';
import { expect, type Page, test, visit } from './world';

interface Sample {
  game: string;
  format: string;
  line: string;
  texts: string[];
}

const SAMPLES: Sample[] = [
  { game: 'othello', format: 'GGF', line: 'f5,d6,c3,d3,c4', texts: ['f5', 'd6', 'c3', 'd3', 'c4'] },
  { game: 'othello', format: 'transcript', line: 'f5,d6,c3,d3,c4', texts: ['f5', 'd6', 'c3', 'd3', 'c4'] },
  { game: 'chess', format: 'PGN', line: 'e2e4,e7e5,g1f3', texts: ['e4', 'e5', 'Nf3'] },
  { game: 'go:9x9', format: 'SGF', line: 'E5,C3,G7,pass', texts: ['E5', 'C3', 'G7', 'pass'] },
  { game: 'tictactoe', format: 'text', line: 'b2,a1,c3', texts: ['b2', 'a1', 'c3'] },
];

async function save(page: Page, format: string): Promise<{ path: string; name: string }> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: format, exact: true }).click()]);
  return { path: await file.path(), name: file.suggestedFilename() };
}

for (const { game, format, line, texts } of SAMPLES) {
  test(`a game of ${game} saved as ${format} is the same when it is loaded`, async ({ page }) => {
    await visit(page, `#/analyse?g=${game}&m=${line}`);
    await played(page, texts.length);
    const { path, name } = await save(page, format);
    await page.getByRole('button', { name: 'Delete from here' }).click();
    await played(page, texts.length - 1);
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: readFileSync(path) });
    await played(page, texts.length);
    expect(await moves(page)).toEqual(texts);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
}

test('comments survive a reload, and saving and loading', async ({ page }) => {
  await visit(page, '#/analyse?g=chess&m=e2e4,e7e5');
  await played(page, 2);
  const box = page.getByLabel('Comment on this position');
  await box.fill('solid, and symmetric');
  await expect(page.locator('.moves .comment')).toHaveText('solid, and symmetric');
  await page.keyboard.press('Tab');
  await page.reload();
  await expect(box).toHaveValue('solid, and symmetric');
  const { path, name } = await save(page, 'PGN');
  await box.fill('');
  await expect(page.locator('.moves .comment')).toHaveCount(0);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: readFileSync(path) });
  await expect(page.locator('.moves .comment')).toHaveText('solid, and symmetric');
});

/** Drops a file on the page, as from the desktop. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(([name, text]) => {
    const made = new DataTransfer();
    made.items.add(new File([text ?? ''], name ?? ''));
    return made;
  }, [name, text]);
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await expect(page.locator('.drop')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

const MATE = '[Event "Test"]\n[White "Anna"]\n[Black "Bert"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n';

test('a file that is dropped opens, whatever game was on the table', async ({ page }) => {
  await visit(page, '#/play');
  await drop(page, 'mate.pgn', MATE);
  await played(page, 4);
  expect(await moves(page)).toEqual(['f3', 'e5', 'g4', 'Qh4#']);
  await expect(page.locator('.drop')).toHaveCount(0);
  await expect(page.locator('.seat').last()).toContainText('Anna');
  await page.keyboard.press('End');
  await expect(page.locator('.engine-status')).toContainText('Black wins');
});

test('a broken file is explained, and the game on the table is not lost', async ({ page, watch }) => {
  watch.allow(/status of 4\d\d/);
  await visit(page, '#/analyse?g=chess&m=e2e4,e7e5');
  await played(page, 2);
  await drop(page, 'broken.pgn', '[Event "Test"]\n\n1. e4 e5 2. Ke5 Nf6 *\n');
  const alert = page.getByRole('dialog').getByRole('alert');
  await expect(alert).toContainText('Ke5');
  await page.keyboard.press('Escape');
  await expect(page.locator('dialog')).toHaveCount(0);
  expect(await moves(page)).toEqual(['e4', 'e5']);
});

test('what is no game at all is explained too', async ({ page, watch }) => {
  watch.allow(/status of 4\d\d/);
  await visit(page, '#/analyse?g=go:9x9&m=E5');
  await played(page, 1);
  await drop(page, 'noise.sgf', '(;SZ[9];B[zz');
  await expect(page.getByRole('dialog').getByRole('alert')).not.toBeEmpty();
  await page.keyboard.press('Escape');
  expect(await moves(page)).toEqual(['E5']);
});

test('a file of several games lets one choose', async ({ page }) => {
  await visit(page);
  await drop(page, 'two.pgn', `${MATE}\n[Event "Second"]\n[White "Cleo"]\n[Black "Dora"]\n[Result "*"]\n\n1. d4 d5 *\n`);
  const dialog = page.getByRole('dialog', { name: '2 games' });
  await dialog.getByRole('button', { name: /Cleo – Dora/ }).click();
  await played(page, 2);
  expect(await moves(page)).toEqual(['d4', 'd5']);
});

test('a game can be pasted anywhere', async ({ page, context, watch }) => {
  // It is tried as a position first.
  watch.allow(/status of 400 .*\/view/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit(page, '#/analyse?g=othello');
  await page.evaluate(() => navigator.clipboard.writeText('f5d6c3d3c4'));
  await page.keyboard.press('Control+v');
  await played(page, 5);
  expect(await moves(page)).toEqual(['f5', 'd6', 'c3', 'd3', 'c4']);
});

test('a position can be typed, and a wrong one is explained', async ({ page, watch }) => {
  watch.allow(/status of 4\d\d/);
  await visit(page, '#/analyse?g=chess&m=e2e4');
  await played(page, 1);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Read' }).click();
  await expect(dialog.getByRole('alert')).toContainText('nothing to read');
  await dialog.getByRole('textbox').fill('8/8/8/8/8/8/8/8 w - - 0 1');
  await dialog.getByRole('button', { name: 'Read' }).click();
  await expect(dialog.getByRole('alert')).not.toContainText('nothing to read');
  await dialog.getByRole('textbox').fill('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
  await dialog.getByRole('button', { name: 'Read' }).click();
  await expect(page.locator('.pieces .piece')).toHaveCount(3);
});
