// The test function of all tests here. It opens the page, and it fails a test in which the page
// complains on the console, breaks its own security policy, or asks anybody but our server.
import { type BrowserContext, expect, type Page, test as plain } from '@playwright/test';
import { bundle } from './bundle';

export { expect };
export type { Page };

/** What a test expects to go wrong, because it provokes it. */
export interface Watch {
  /** Messages on the console that are meant to come. */
  allow(pattern: RegExp): void;
  /** Another server that may be asked. */
  own(address: string): void;
  /** Watches another context too. */
  on(context: BrowserContext): void;
  problems(): string[];
}

export function address(): string {
  const found = process.env.ZUG_PAGE;
  if (!found) throw new Error('The server was not started.');
  return found;
}

function watch(): Watch {
  const allowed: RegExp[] = [];
  const found: string[] = [];
  const own = new Set([address()]);
  const see = (page: Page): void => {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') found.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => found.push(`uncaught: ${error.message}`));
  };
  return {
    allow: (pattern) => { allowed.push(pattern); },
    own: (address) => { own.add(address); },
    on: (context) => {
      context.pages().forEach(see);
      context.on('page', see);
      context.on('request', (request) => {
        const url = new URL(request.url());
        if (!['data:', 'blob:'].includes(url.protocol) && !own.has(url.origin)) found.push(`asked elsewhere: ${request.url()}`);
      });
    },
    problems: () => found.filter((text) => !allowed.some((pattern) => pattern.test(text))),
  };
}

export const test = plain.extend<{ watch: Watch }>({
  // Every test has it, whether it names it or not.
  watch: [async ({ context }, use) => {
    const seen = watch();
    seen.on(context);
    await bundle(context);
    await use(seen);
    expect(seen.problems(), 'the page complained').toEqual([]);
  }, { auto: true }],
  baseURL: async ({}, use) => { await use(address()); },
});

/** Opens the page at an address after the `#`, and waits for the board. */
export async function visit(page: Page, hash = ''): Promise<void> {
  // A change of nothing but the hash would not load the page anew.
  if (page.url() !== 'about:blank') await page.goto('about:blank');
  await page.goto(`/${hash}`);
  await expect(hash.startsWith('#/learn') ? page.getByRole('heading', { name: 'Runs' }) : page.getByRole('grid')).toBeVisible();
}
