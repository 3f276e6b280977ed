// What a person does at the board, in the words of the tests.
import { type Locator } from '@playwright/test';
import { expect, type Page } from './world';

/** A cell by its name ("e4"). */
export function cell(page: Page, name: string): Locator {
  return page.locator(`[role=gridcell][aria-label^="${name},"]`);
}

/** The same, as soon as one may point at it. */
function open(page: Page, name: string): Locator {
  return page.locator(`[role=gridcell][aria-label^="${name},"][aria-label*="possible"]`);
}

/** Clicks the cells of moves, one after the other ("e2-e4" are two cells), each when its turn has come. */
export async function click(page: Page, ...moves: string[]): Promise<void> {
  for (const move of moves) for (const name of move.split('-')) await open(page, name).click();
}

export async function drag(page: Page, from: string, to: string): Promise<void> {
  await open(page, from).hover();
  await page.mouse.down();
  await cell(page, to).hover();
  await page.mouse.up();
}

export interface Setup {
  game: string;
  variant?: string;
  /** "you", or the number of a level. */
  first?: 'you' | number;
  second?: 'you' | number;
  clock?: string;
}

/** Chooses a game and who plays it, on the page that is open. */
export async function choose(page: Page, { game, variant, first = 'you', second = 'you', clock }: Setup): Promise<void> {
  await page.getByLabel('Game', { exact: true }).selectOption(game);
  if (variant) await page.getByLabel('Variant', { exact: true }).selectOption(variant);
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeEnabled();
  for (const [i, who] of [first, second].entries()) {
    const seat = page.locator('.seat-choice').nth(i);
    await seat.getByRole('button', { name: who === 'you' ? 'You' : 'Computer' }).click();
    if (typeof who === 'number') await seat.getByRole('slider').fill(String(who));
  }
  if (clock) await page.getByLabel('Clock').selectOption(clock);
}

export async function start(page: Page, setup: Setup): Promise<void> {
  await choose(page, setup);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('.status-card')).toBeVisible();
}

export const banner = (page: Page): Locator => page.locator('.banner');

/** The moves of the list beside the board, as they are written. */
export async function moves(page: Page): Promise<string[]> {
  return page.locator('.moves .move:not(.gap)').allInnerTexts();
}

/** Waits until so many moves have been played. */
export async function played(page: Page, count: number): Promise<void> {
  await expect(page.locator('.moves .move:not(.gap)')).toHaveCount(count);
}

/** How many pieces stand on the board. */
export const pieces = (page: Page): Locator => page.locator('.pieces .piece');

/** The position, as the page would save it. */
export async function position(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const text = await page.getByLabel('This position', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Close' }).click();
  return text;
}
