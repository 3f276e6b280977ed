// Games in and out: reading what was pasted or dropped, and saving what is on the table.
import { signal } from '@preact/signals';
import { ApiError, api } from '../api/client';
import type { GameRecord, RecordsAnswer } from '../api/types';
import { guessGame, mayBePosition } from './guessgame';
import { complain, tell } from './messages';
import { match } from './play';
import { details, newTable, prefetch, table } from './session';
import * as t from './tree';

/** A file with several games waits here until one is chosen. */
export const choice = signal<{ spec: string; answer: RecordsAnswer } | null>(null);
/** What was wrong with the last thing that was read. */
export const problem = signal<string | null>(null);

const MOST_BYTES = 8 * 1024 * 1024;

export async function readFile(file: File): Promise<boolean> {
  if (file.size > MOST_BYTES) {
    problem.value = `${file.name} has ${Math.ceil(file.size / 1e6)} MB; at most 8 MB can be read here.`;
    return false;
  }
  const head = await file.slice(0, 4000).text();
  return read(guessGame(file.name, head, table.value.spec), file.name, file);
}

export async function readText(text: string): Promise<boolean> {
  problem.value = null;
  if (!text.trim()) {
    problem.value = 'There is nothing to read: paste a game or a position.';
    return false;
  }
  const spec = guessGame('', text, table.value.spec);
  if (mayBePosition(text)) {
    try {
      await api.view({ game: spec, start: text.trim(), moves: [] });
      match.value = null;
      newTable(spec, text.trim());
      return true;
    } catch (error) {
      // No position: it may still be a record. Only a lost server ends it here.
      if (error instanceof ApiError && error.status === 0) return false;
    }
  }
  return read(spec, 'pasted', new Blob([text]));
}

async function read(spec: string, name: string, bytes: Blob): Promise<boolean> {
  problem.value = null;
  try {
    const answer = await api.read(spec, name, bytes);
    const [first] = answer.games;
    if (!first) {
      problem.value = answer.problems[0]?.message ?? 'There is no game in it.';
      return false;
    }
    if (answer.variations) tell('The main lines were read; the variations in the file were left out.');
    if (answer.games.length === 1 && answer.problems.length === 0) openRecord(spec, first);
    else choice.value = { spec, answer };
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) problem.value = error.message;
    else complain(error);
    return false;
  }
}

export function openRecord(spec: string, record: GameRecord): void {
  choice.value = null;
  match.value = null;
  const tree = t.fromRecord(record.tree);
  newTable(spec, record.start, tree, t.ROOT, record.tags);
  const main = t.mainFrom(tree, t.ROOT).map((id) => t.node(tree, id).move);
  prefetch({ game: spec, start: record.start, moves: main }).catch(complain);
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Saves the line through where we look, with its comments. */
export async function save(format: string): Promise<void> {
  const { spec, start, tree, at, tags } = table.value;
  const moves = t.lineThrough(tree, at).map((id) => {
    const { move, comment } = t.node(tree, id);
    return comment ? { move, comment } : { move };
  });
  // Who resigned is not in the moves; everything else the rules know.
  const ended = match.value?.ended;
  try {
    const blob = await api.write({ game: spec, format, records: [{ tags, start, moves, ...(ended ? { result: { winner: ended.winner } } : {}) }] });
    const extension = details.value?.formats.find((f) => f.name === format)?.extensions[0] ?? 'txt';
    download(blob, `${spec.replace(/[^a-z0-9]+/gi, '-')}.${extension}`);
  } catch (error) {
    complain(error);
  }
}

export async function saveReport(): Promise<void> {
  const { spec, start, tree, at } = table.value;
  const moves = t.lineThrough(tree, at).map((id) => t.node(tree, id).move);
  tell('The report is being made; this can take a while.');
  try {
    download(await api.report({ game: spec, start, moves }), `${spec.replace(/[^a-z0-9]+/gi, '-')}-report.html`);
  } catch (error) {
    complain(error);
  }
}

/** A result as the server writes it ("0 by 3", "draw") in words. */
export function resultText(result: string | null | undefined, sides: [string, string]): string {
  const found = /^([01])( by .*)?$/.exec(result ?? '');
  return found ? `${sides[Number(found[1]) as 0 | 1]} won${found[2] ?? ''}` : (result ?? '');
}
