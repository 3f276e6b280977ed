// What is said about a game as a whole.
import { capital, table } from './session';

/** What can be said of every game, and what this one says besides. */
export function headFields(sides: [string, string], tags: Record<string, string>): string[] {
  const usual = [...sides.map(capital), 'Event', 'Site', 'Date', 'Round'];
  // What follows from the moves is not for people to write.
  const others = Object.keys(tags).filter((name) => !usual.includes(name) && !['Result', 'FEN', 'SetUp', 'Variant', 'Unstated'].includes(name));
  return [...usual, ...others].slice(0, 40);
}

/** Writes tags and the result; what is empty is taken away. */
export function describe(entered: ReadonlyMap<string, string>, result: string): void {
  const { result: _, ...rest } = table.value;
  const tags = { ...table.value.tags };
  for (const [name, text] of entered) {
    if (text.trim()) tags[name] = text.trim();
    else delete tags[name];
  }
  table.value = { ...rest, tags, ...(result ? { result } : {}) };
}
