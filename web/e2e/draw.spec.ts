// Drawing on the board, numbers on stones, positions set up by hand, and what stands at the head of a game.
import { readFileSync } from 'node:fs';
import { cell, choose, click, pieces, played, position } from './table';
import { expect, type Page, test, visit } from './world';

/** The game as the page saves it in a format. */
async function saved(page: Page, format: string): Promise<string> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: format, exact: true }).click()]);
  return readFileSync(await file.path(), 'utf8');
}

async function stroke(page: Page, from: string, to: string, key?: string): Promise<void> {
  await cell(page, from).hover();
  if (key) await page.keyboard.down(key);
  await page.mouse.down({ button: 'right' });
  await cell(page, to).hover();
  await page.mouse.up({ button: 'right' });
  if (key) await page.keyboard.up(key);
}

test('the right button draws circles and arrows, which are kept in the file', async ({ page }) => {
  await visit(page, '#/analyse?g=chess&m=e2e4');
  await played(page, 1);
  await stroke(page, 'g8', 'f6');
  await stroke(page, 'e5', 'e5', 'Shift');
  await expect(page.locator('.drawn-arrow')).toHaveCount(1);
  await expect(page.locator('.drawing.colour-R')).toHaveCount(1);
  // It is drawn at this position, not at the one before.
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('.drawing')).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.drawing')).toHaveCount(2);
  expect(await saved(page, 'PGN')).toMatch(/\{\[%csl Re5\] \[%cal Gg8f6\]\}/);
  await stroke(page, 'g8', 'f6');
  await expect(page.locator('.drawn-arrow')).toHaveCount(0);
  await page.getByRole('button', { name: 'Take the drawings away' }).click();
  await expect(page.locator('.drawing')).toHaveCount(0);
  // Nothing was played by all that.
  await played(page, 1);
});

test('a tool draws with plain clicks, and SGF keeps it', async ({ page }) => {
  await visit(page, '#/analyse?g=go:9x9&m=E5');
  await played(page, 1);
  await page.getByLabel('Draw on the board').selectOption('triangle');
  await cell(page, 'E5').click();
  await page.getByLabel('Draw on the board').selectOption('letter');
  await cell(page, 'C3').click();
  await cell(page, 'G7').click();
  await expect(page.locator('.drawing text')).toHaveText(['A', 'B']);
  await page.getByLabel('Draw on the board').selectOption('');
  await click(page, 'C7');
  await played(page, 2);
  const sgf = await saved(page, 'SGF');
  expect(sgf).toContain('TR[ee]');
  expect(sgf).toMatch(/LB(\[cg:A\]\[gc:B\]|\[gc:B\]\[cg:A\])/);
  expect(sgf).not.toContain('[%');
});

test('drawings and signs of a file are shown', async ({ page }) => {
  await visit(page, '#/analyse?g=go');
  const load = async (name: string, text: string): Promise<void> => {
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await load('x.sgf', '(;GM[1]SZ[9]TR[aa]SQ[bb];B[ee]LB[cc:x]CR[dd]MA[gg]GB[1]C[words])');
  await expect(page.locator('.drawing')).toHaveCount(2);
  await page.keyboard.press('End');
  await expect(page.locator('.drawing')).toHaveCount(3);
  await expect(page.locator('.drawing text')).toHaveText('x');
  await expect(page.locator('.moves .comment')).toHaveText('words');
  await expect(page.locator('.move .judgement')).toHaveText('∓');
  await load('x.pgn', '1. e4 $1 $14 e5 $36 *');
  await played(page, 2);
  await expect(page.locator('.move').first()).toHaveText(/e4!\s*\+=/);
  expect(await saved(page, 'PGN')).toMatch(/1\. e4 \$1 \$14 (1\.\.\. )?e5 \$36/);
});

test('stones carry their numbers where somebody wants it, and are counted one by one', async ({ page }) => {
  await visit(page, '#/analyse?g=go:9x9&m=E5,C3,G7');
  await played(page, 3);
  await expect(page.locator('.move-row .number')).toHaveText(['1', '3']);
  await page.keyboard.press('m');
  await expect(page.locator('.numbers text')).toHaveText(['1', '2', '3']);
  await page.keyboard.press('m');
  await expect(page.locator('.numbers text')).toHaveCount(0);
});

test('a position is set up by hand, and the rules say what is wrong with it', async ({ page, watch }) => {
  watch.allow(/400/);
  await visit(page, '#/analyse?g=chess');
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(pieces(page)).toHaveCount(0);
  const put = async (man: string, field: string): Promise<void> => {
    await page.getByRole('button', { name: man, exact: true }).click();
    await cell(page, field).click();
  };
  await put('white king', 'e1');
  await put('white rook', 'h1');
  await page.getByRole('button', { name: 'Use this position' }).click();
  await expect(page.getByRole('alert')).toContainText('expected one black king');
  await put('black king', 'e8');
  await stroke(page, 'e8', 'f8');
  await page.getByRole('switch', { name: 'White O-O', exact: true }).click();
  await page.getByRole('button', { name: 'Use this position' }).click();
  expect(await position(page)).toBe('5k2/8/8/8/8/8/8/4K2R w K - 0 1');
  await click(page, 'e1-g1');
  await played(page, 1);
  await visit(page, '#/analyse?g=othello&m=f5');
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.getByRole('button', { name: 'white', exact: true }).click();
  await cell(page, 'a1').click();
  await page.getByRole('button', { name: 'Black to move' }).click();
  await page.getByRole('button', { name: 'Use this position' }).click();
  expect(await position(page)).toMatch(/^O.* X$/);
});

test('komi, handicap and the number of a start are chosen in a form', async ({ page }) => {
  await visit(page);
  await choose(page, { game: 'go', variant: '…' });
  await page.getByLabel('Size').fill('9x9');
  await page.getByLabel('Komi').fill('0.5');
  await page.getByLabel('Handicap').fill('2');
  await page.getByLabel('Scoring').selectOption('territory');
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  await expect(pieces(page)).toHaveCount(2);
  await page.getByRole('link', { name: 'Analyse' }).click();
  await expect(page).toHaveURL(/go:9x9.*komi.*scoring.*handicap/);
  await visit(page);
  await choose(page, { game: 'chess', variant: '…' });
  await page.getByLabel('No. (960)', { exact: true }).fill('10');
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  await expect(cell(page, 'a1')).toHaveAccessibleName(/white queen/);
});

test('who played, where and with what result can be written, and is saved', async ({ page }) => {
  await visit(page, '#/analyse?g=chess&m=e2e4,e7e5');
  await played(page, 2);
  await page.getByRole('button', { name: 'Players, event, result …' }).click();
  await page.getByLabel('White', { exact: true }).fill('Anna');
  await page.getByLabel('Event').fill('Club evening');
  await page.getByLabel('Result').selectOption({ label: 'White won' });
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(page.locator('.about')).toContainText('Anna – ? · white won · Club evening');
  const pgn = await saved(page, 'PGN');
  expect(pgn).toContain('[White "Anna"]');
  expect(pgn).toContain('[Event "Club evening"]');
  expect(pgn).toContain('[Result "1-0"]');
  await page.getByRole('button', { name: 'edit' }).click();
  await page.getByLabel('White', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(page.locator('.about')).not.toContainText('Anna');
});
