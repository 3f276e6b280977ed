// The page under test: the one inside the program, or one that was built after it.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BrowserContext } from '@playwright/test';

/**
 * With `ZUG_BUNDLE` the page comes from that folder instead of from inside the program, so that a change of
 * the page can be tried without building the program again. Headers stay those of the server.
 */
export async function bundle(context: BrowserContext): Promise<void> {
  const folder = process.env.ZUG_BUNDLE;
  if (!folder) return;
  await context.route((url) => !url.pathname.includes('/api/'), async (route) => {
    const path = join(folder, basename(new URL(route.request().url()).pathname) || 'index.html');
    if (!existsSync(path)) return route.continue();
    const response = await route.fetch().catch(() => null);
    return response ? route.fulfill({ response, path }) : route.abort('connectionrefused');
  });
}
