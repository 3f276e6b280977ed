// Builds the page into the folder that `zug serve` embeds. Nothing of this machine (time, path) gets
// into the result, so that the same sources always give the same bytes.
import { build } from 'esbuild';
import { copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, '../crates/zug-serve/page');

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: 'src/main.tsx' },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2022', 'chrome110', 'firefox115', 'safari16'],
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
});
for (const file of ['index.html', 'icon.svg']) {
  await copyFile(join(here, 'static', file), join(out, file));
}
for (const file of ['index.html', 'app.js', 'app.css', 'icon.svg']) {
  const { size } = await stat(join(out, file));
  console.log(`${file.padEnd(12)} ${(size / 1000).toFixed(1).padStart(7)} kB`);
}
