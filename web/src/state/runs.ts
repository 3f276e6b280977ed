// What a run has measured, made ready for charts. Runs write whatever they know in each row: numbers,
// groups of numbers, and words that say which of several variants the row is about.
import type { Metrics } from '../api/types';

export interface Row {
  step: number;
  numbers: ReadonlyMap<string, number>;
  words: ReadonlyMap<string, string>;
}

/** Numbers with their names, those of groups as "group.name"; lists are no curves and are left out. */
export function flatten(metrics: Metrics[]): Row[] {
  return metrics.map((raw, i) => {
    const numbers = new Map<string, number>();
    const words = new Map<string, string>();
    const visit = (prefix: string, value: object, depth: number): void => {
      for (const [key, v] of Object.entries(value) as [string, unknown][]) {
        const name = prefix ? `${prefix}.${key}` : key;
        if (typeof v === 'number' && Number.isFinite(v)) numbers.set(name, v);
        else if (typeof v === 'string' && depth === 0) words.set(name, v);
        else if (typeof v === 'object' && v !== null && !Array.isArray(v) && depth < 2) visit(name, v, depth + 1);
      }
    };
    visit('', raw, 0);
    const step = numbers.get('step') ?? i;
    numbers.delete('step');
    return { step, numbers, words };
  });
}

/** The names of everything that was measured, in the order of first appearance. */
export function measured(rows: Row[]): string[] {
  return [...new Set(rows.flatMap((row) => [...row.numbers.keys()]))];
}

/** The word that tells variants apart, if rows are about several. */
function splitter(rows: Row[]): string | null {
  for (const name of new Set(rows.flatMap((row) => [...row.words.keys()]))) {
    const different = new Set(rows.map((row) => row.words.get(name)));
    if (different.size > 1 && different.size <= 8) return name;
  }
  return null;
}

export interface Curve {
  variant: string;
  points: [number, number][];
}

/** One measure over the steps, a curve for each variant; variants begin again, so they count their games. */
export function curves(rows: Row[], name: string): Curve[] {
  const split = splitter(rows);
  const byGames = split !== null && name !== 'games' && rows.every((row) => row.numbers.has('games'));
  const found = new Map<string, [number, number][]>();
  for (const row of rows) {
    const value = row.numbers.get(name);
    if (value === undefined) continue;
    const variant = split === null ? '' : (row.words.get(split) ?? '');
    const points = found.get(variant) ?? [];
    points.push([byGames ? (row.numbers.get('games') ?? row.step) : row.step, value]);
    found.set(variant, points);
  }
  return [...found].map(([variant, points]) => ({ variant, points }));
}

/** Measures that begin with the same word share a chart: `loss_train` and `loss_test`. */
export function groups(names: string[]): { title: string; names: string[] }[] {
  const found = new Map<string, string[]>();
  for (const name of names) {
    const head = name.split(/[_\s./-]/)[0] ?? name;
    found.set(head, [...(found.get(head) ?? []), name]);
  }
  return [...found].map(([head, members]) => ({ title: members.length === 1 ? (members[0] ?? head) : head, names: members }));
}

/** Puts new rows after the old ones; a row that comes again (after a reconnect) replaces the old one. */
export function merge(old: Metrics[], fresh: Metrics[]): Metrics[] {
  const rows = new Map(old.map((row) => [row.step, row]));
  for (const row of fresh) rows.set(row.step, { ...rows.get(row.step), ...row });
  return [...rows.values()].sort((a, b) => a.step - b.step);
}
