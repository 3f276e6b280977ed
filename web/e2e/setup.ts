// Before all tests: small things to look at (two runs, two databases, a few games), and the server that shows them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, zug } from './server';

const CHESS = `[White "Anna"]
[Black "Bert"]
[Date "2001.05.04"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0

[White "Clara"]
[Black "Anna"]
[Date "2011.05.04"]
[Result "0-1"]

1. d4 d5 2. c4 e6 0-1
`;

const GO = `(;GM[1]SZ[9]KM[0.5]PB[Dora]PW[Emil]DT[1999]RE[B+R];B[ee];W[cc];B[gg];W[cg])
(;GM[1]SZ[9]KM[7]PB[Fritz]PW[Dora]DT[2003]RE[W+3];B[ee];W[gg];B[cd];W[gc])
`;

export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'zug-page-'));
  const [runs, databases] = [join(folder, 'runs'), join(folder, 'databases')];
  for (const [name, seed] of [['first', '1'], ['second', '2']] as const) {
    zug('learn', 'tictactoe', 'td', '--games', '200', '--seed', seed, '--out', join(runs, name));
    zug('runs', 'report', join(runs, name));
  }
  zug('db', 'build', 'tictactoe', '--out', join(databases, 'tictactoe'));
  zug('db', 'build', 'dodgem:3x3', '--out', join(databases, 'dodgem-3x3'));
  const [chess, go] = [join(folder, 'games.pgn'), join(folder, 'games.sgf')];
  writeFileSync(chess, CHESS);
  writeFileSync(go, GO);
  const server = await serve(0, '--runs', runs, '--databases', databases, '--records', `chess=${chess}`, '--records', `go=${go}`);
  process.env.ZUG_PAGE = server.address;
  return async () => {
    const code = await server.stop();
    rmSync(folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The server should end with 0 after Ctrl-C, but it ended with ${code}.`);
  };
}
