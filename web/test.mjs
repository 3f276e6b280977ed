// Bundles every `*.test.ts` and gives it to node's own test runner: node 20 reads no TypeScript.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const tests = readdirSync(join(here, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .sort();
const out = join(here, 'node_modules/.tests');
rmSync(out, { recursive: true, force: true });
await build({
  absWorkingDir: here,
  entryPoints: tests.map((file) => join('src', file)),
  outdir: out,
  outbase: join(here, 'src'),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'warning',
});
const files = tests.map((file) => join(out, file.replace(/\.ts$/, '.mjs')));
const { status } = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' });
process.exit(status ?? 1);
