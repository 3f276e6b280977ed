// Runs of learning: their list, and what they measured. Pure helpers for the charts are here too.
import type { Metrics } from '../api/types';

/** The names of everything that was measured as a number, in the order of first appearance. */
export function measured(metrics: Metrics[]): string[] {
  const names = new Set<string>();
  for (const row of metrics) for (const [name, value] of Object.entries(row)) if (name !== 'step' && typeof value === 'number' && Number.isFinite(value)) names.add(name);
  return [...names];
}

export function points(metrics: Metrics[], name: string): [number, number][] {
  return metrics.flatMap((row, i) => {
    const value = row[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) return [];
    return [[typeof row.step === 'number' ? row.step : i, value]];
  });
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
export function merge(old: Metrics[], fresh: Metrics | Metrics[]): Metrics[] {
  const rows = new Map(old.map((row) => [row.step, row]));
  for (const row of Array.isArray(fresh) ? fresh : [fresh]) rows.set(row.step, { ...rows.get(row.step), ...row });
  return [...rows.values()].sort((a, b) => a.step - b.step);
}
