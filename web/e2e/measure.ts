// `npm run measure [TIMES]`: how soon the page is there and what it weighs, as JSON. Speed is measured,
// never asserted; the figures are kept in docs/benchmarks.md.
import { chromium } from '@playwright/test';
import { BROWSER } from './browser';
import { loads, median } from './load';
import { serve } from './server';

const times = Number(process.argv[2] ?? 20);
const server = await serve(0);
const browser = await chromium.launch(BROWSER);
try {
  // The first one also warms up the browser itself.
  await loads(browser, server.address, 1);
  const found = await loads(browser, server.address, times);
  const spread = (values: number[]): { median: number; least: number; most: number } => {
    const round = (v: number): number => Math.round(v * 10) / 10;
    return { median: round(median(values)), least: round(Math.min(...values)), most: round(Math.max(...values)) };
  };
  const last = found.at(-1);
  console.log(JSON.stringify({
    times,
    browser: browser.version(),
    first_contentful_paint_ms: spread(found.map((l) => l.paint)),
    board_ms: spread(found.map((l) => l.board)),
    bytes: last?.bytes,
    bytes_gzip: last?.gzip,
    files: last?.files,
  }, null, 2));
} finally {
  await browser.close();
  await server.stop();
}
