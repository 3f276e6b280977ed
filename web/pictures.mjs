// Makes the pictures of the guide from the screenshots that the browser tests have left: the same, but small.
import { chromium } from '@playwright/test';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const PICTURES = { 'play-othello': 'page-play', 'analyse-chess': 'page-analyse', 'likely-go': 'page-likely', phone: 'page-phone' };
const MOST = 120_000;

const browser = await chromium.launch({ executablePath: process.env.ZUG_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
for (const [from, to] of Object.entries(PICTURES)) {
  const png = await readFile(join(here, '../target/page', `${from}.png`)).catch(() => {
    throw new Error(`There is no ${from}.png in target/page: run the browser tests first (scripts/page --browser).`);
  });
  const packed = await page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(data)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.86 });
    return [...new Uint8Array(await blob.arrayBuffer())];
  }, `data:image/png;base64,${png.toString('base64')}`);
  if (packed.length > MOST) throw new Error(`${to}.webp has ${packed.length} bytes; at most ${MOST} are wanted.`);
  await writeFile(join(here, '../docs', `${to}.webp`), Uint8Array.from(packed));
  console.log(`${to}.webp`.padEnd(20), `${(packed.length / 1000).toFixed(1).padStart(6)} kB`);
}
await browser.close();
