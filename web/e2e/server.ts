// The real program as the server under test: found, started, and ended as a person ends it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Where screenshots and reports go; kept by CI. */
export const KEPT = join(ROOT, 'target/page');

/** The newest build, unless `ZUG_BINARY` names one. */
export function binary(): string {
  if (process.env.ZUG_BINARY) return process.env.ZUG_BINARY;
  const built = ['release', 'debug'].map((kind) => join(ROOT, 'target', kind, 'zug')).filter((path) => existsSync(path));
  const [newest] = built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (!newest) throw new Error('There is no zug to test: run cargo build, or set ZUG_BINARY.');
  return newest;
}

/** Runs one command of the program to its end. */
export function zug(...words: string[]): void {
  execFileSync(binary(), words, { stdio: ['ignore', 'ignore', 'pipe'] });
}

export interface Server {
  address: string;
  /** Ends it by Ctrl-C, and tells its exit code. */
  stop(): Promise<number | null>;
}

export async function serve(port: number, ...words: string[]): Promise<Server> {
  const child = spawn(binary(), ['serve', '--port', String(port), ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await firstLine(child);
  return {
    address: address.replace(/\/$/, ''),
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      const gone = once(child, 'exit') as Promise<[number | null]>;
      child.kill('SIGINT');
      return (await gone)[0];
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The server has no output.');
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^http:\/\/\S+$/.test(line)) {
      // What it says later must not fill a pipe that nobody reads.
      child.stdout.resume();
      return line;
    }
    throw new Error(`The server should print its address first, but it printed: ${line}`);
  }
  throw new Error('The server ended before it printed its address.');
}
