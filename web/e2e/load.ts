// Loads the page cold, and tells how soon something was to be seen and how much it weighs.
import { gzipSync } from 'node:zlib';
import type { Browser } from '@playwright/test';
import { bundle } from './bundle';

export interface Load {
  /** Milliseconds from the start of the navigation to the first contentful paint, and to the first board. */
  paint: number;
  board: number;
  /** The files of the page itself, without the answers of the interface, before and after compression. */
  files: { path: string; bytes: number; gzip: number }[];
  bytes: number;
  gzip: number;
}

/** Each time with an empty cache, in a context of its own. */
export async function loads(browser: Browser, address: string, times: number): Promise<Load[]> {
  const result: Load[] = [];
  for (let i = 0; i < times; i++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await bundle(context);
    const page = await context.newPage();
    await page.goto(`${address}/`);
    await page.waitForFunction(() => performance.getEntriesByName('zug-board').length && performance.getEntriesByName('first-contentful-paint').length);
    const found = await page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      board: performance.getEntriesByName('zug-board')[0]?.startTime ?? 0,
      paths: ['/', ...performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)].filter((path) => !path.includes('/api/')),
    }));
    const files: Load['files'] = [];
    for (const path of new Set(found.paths)) {
      const text = await page.evaluate(async (path) => (await fetch(path)).text(), path);
      const body = Buffer.from(text);
      files.push({ path, bytes: body.length, gzip: gzipSync(body, { level: 9 }).length });
    }
    const sum = (of: 'bytes' | 'gzip'): number => files.reduce((all, file) => all + file[of], 0);
    result.push({ paint: found.paint, board: found.board, files, bytes: sum('bytes'), gzip: sum('gzip') });
    await context.close();
  }
  return result;
}

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
