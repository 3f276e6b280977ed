// Before all tests: small things to look at (two runs, two databases), and the server that shows them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, zug } from './server';

export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'zug-page-'));
  const [runs, databases] = [join(folder, 'runs'), join(folder, 'databases')];
  for (const [name, seed] of [['first', '1'], ['second', '2']] as const) {
    zug('learn', 'tictactoe', 'td', '--games', '200', '--seed', seed, '--out', join(runs, name));
    zug('runs', 'report', join(runs, name));
  }
  zug('db', 'build', 'tictactoe', '--out', join(databases, 'tictactoe'));
  zug('db', 'build', 'dodgem:3x3', '--out', join(databases, 'dodgem-3x3'));
  const server = await serve(0, '--runs', runs, '--databases', databases);
  process.env.ZUG_PAGE = server.address;
  return async () => {
    const code = await server.stop();
    rmSync(folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The server should end with 0 after Ctrl-C, but it ended with ${code}.`);
  };
}
