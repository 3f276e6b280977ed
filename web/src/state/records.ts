// Games in and out: reading what was pasted or dropped, and saving what is on the table.
import { signal } from '@preact/signals';
import { ApiError, api } from '../api/client';
import type { GameRecord, RecordsAnswer, SentRecord, Side } from '../api/types';
import { fitting, startJudging } from './graph';
import { guessGame, mayBePosition } from './guessgame';
import { complain, tell } from './messages';
import { match } from './play';
import { details, keepTable, newTable, prefetch, table } from './session';
import * as t from './tree';

/** A file with several games waits here until one is chosen. */
export const choice = signal<{ answer: RecordsAnswer } | null>(null);
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
    if (answer.left_out) tell(`${answer.left_out} ${answer.left_out === 1 ? 'variation' : 'variations'} could not be played and ${answer.left_out === 1 ? 'was' : 'were'} left out.`);
    if (answer.games.length === 1 && answer.problems.length === 0) openRecord(first);
    else choice.value = { answer };
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) problem.value = error.message;
    else complain(error);
    return false;
  }
}

export function openRecord(record: GameRecord): void {
  choice.value = null;
  match.value = null;
  keepTable('The game before was put away.');
  const tree = t.fromRecord(record.nodes);
  newTable(record.game, record.start, tree, t.ROOT, record.tags, record.result);
  const main = t.mainFrom(tree, t.ROOT).map((id) => t.node(tree, id).move);
  prefetch({ game: record.game, start: record.start, moves: main }).catch(complain);
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The game on the table as it is sent; for a report the line that was judged, through where we look, is what was played. */
function sent(judged = false): SentRecord {
  const { start, tree, at, tags, result } = table.value;
  // Who resigned is not in the moves, nor what a file stated; everything else the rules know.
  const ended = match.value?.ended;
  const stated = ended ? { winner: ended.winner } : statedResult(result);
  return { tags, start, nodes: t.toRecord(judged ? t.promote(tree, at) : tree), ...(stated ? { result: stated } : {}) };
}

const fileName = (extension: string): string => `${table.value.spec.replace(/[^a-z0-9]+/gi, '-')}.${extension}`;
const extensionOf = (format: string): string => details.value?.formats.find((f) => f.name === format)?.extensions[0] ?? 'txt';

/** Saves the game with its variations and comments, as far as the format has room for them. */
export async function save(format: string): Promise<void> {
  try {
    download(await api.write({ game: table.value.spec, format, records: [sent()] }), fileName(extensionOf(format)));
  } catch (error) {
    complain(error);
  }
}

/** A report is being made. */
export const reporting = signal(false);

/** The judged game as a page, or as a file with marks and better lines; it is judged first if nobody has. */
export async function saveReport(format: string): Promise<void> {
  if (reporting.value) return;
  reporting.value = true;
  try {
    const complete = (): boolean => !!fitting.value && !fitting.value.running && fitting.value.plies.size > fitting.value.moves.length;
    if (!complete()) await startJudging(fitting.value?.time ?? 300);
    const found = fitting.value;
    if (!found || !complete()) { tell('The game was not judged to its end, so there is no report.'); return; }
    const blob = await api.report({
      game: table.value.spec, record: sent(true), judged: [...found.plies.values()], format,
      by: `${details.value?.players[0]?.name ?? 'zug'}, ${found.time / 1000} s for each position`,
    });
    download(blob, format === 'HTML' ? fileName('html') : fileName(`report.${extensionOf(format)}`));
  } catch (error) {
    complain(error);
  } finally {
    reporting.value = false;
  }
}

/** A result as the server writes it ("0 by 3", "draw"), as it is sent. */
function statedResult(result: string | undefined): { winner: Side | null; margin?: number } | undefined {
  if (result === 'draw') return { winner: null };
  const found = /^([01])(?: by ([\d.]+))?$/.exec(result ?? '');
  return found ? { winner: Number(found[1]) as Side, ...(found[2] ? { margin: Number(found[2]) } : {}) } : undefined;
}

/** A date without the parts that nobody knows ("1997.??.??"). */
export const shortDate = (date: string | undefined): string => (date ?? '').replace(/[.-]\?\?/g, '').replace(/^\?+$/, '');

/** A result as the server writes it ("0 by 3", "draw") in words. */
export function resultText(result: string | null | undefined, sides: [string, string]): string {
  const found = /^([01])( by .*)?$/.exec(result ?? '');
  return found ? `${sides[Number(found[1]) as 0 | 1]} won${found[2] ?? ''}` : (result ?? '');
}
