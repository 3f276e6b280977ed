// Weights made ready for drawing: colours, numbers, differences, and which choices go together.
import type { Chosen, Part, WeightBoard, WeightList, Weights } from '../api/types';

/** Near white is nought, orange is more, blue is less: the same as in reports. */
const [LOW, NOUGHT, HIGH] = [[91, 141, 199], [245, 245, 240], [233, 138, 60]] as const;

/** The colour of a weight. Small ones are told apart better than large ones; from `most` on it is full. */
export function colour(value: number, most: number): string {
  const strength = most > 0 ? Math.sqrt(Math.min(1, Math.abs(value) / most)) : 0;
  const far = value < 0 ? LOW : HIGH;
  return `rgb(${NOUGHT.map((n, i) => Math.round(n + ((far[i] ?? n) - n) * strength)).join(' ')})`;
}

/** As few digits as tell something, for numbers up to `most`. */
export function number(value: number, most: number): string {
  const text = value.toFixed(most >= 20 ? 0 : most >= 2 ? 1 : most >= 0.2 ? 2 : 3);
  return /^-?0(\.0*)?$/.test(text) ? '0' : text.replace('-', '−');
}

/** The largest number on a board, without its sign: where the scale of colours ends. */
export function largest(...all: (WeightBoard[] | undefined)[]): number {
  return all.flatMap((boards) => boards ?? []).reduce((most, b) => b.cells.reduce<number>((m, c) => Math.max(m, Math.abs(c ?? 0)), most), 0);
}

/** The steps of the legend. */
export function steps(most: number): number[] {
  return [-1, -0.5, -0.2, 0, 0.2, 0.5, 1].map((part) => part * most);
}

/** `e4`, or row and column by number where they have no names. */
export function cellName(board: WeightBoard, cell: number): string {
  const [column, row] = [cell % board.width, Math.floor(cell / board.width)];
  const names = [board.columns[column], board.rows[row]];
  return names.every((n) => n !== undefined) ? names.join('') : `column ${column + 1}, row ${row + 1}`;
}

/** One board minus its twin among others; null where there is none. */
export function minusBoard(board: WeightBoard, twin: WeightBoard | undefined): WeightBoard | null {
  if (!twin) return null;
  const cells = board.cells.map((c, i) => { const other = twin.cells[i] ?? null; return c === null || other === null ? null : c - other; });
  return { ...board, cells };
}

export function twinOf(board: WeightBoard, others: Weights | null): WeightBoard | undefined {
  return others?.boards.find((b) => b.title === board.title && b.width === board.width && b.height === board.height);
}

/** The numbers of a list, with those of the same name in another. */
export function pairs(list: WeightList, others: Weights | null): { name: string; value: number; other: number | null }[] {
  const twin = others?.lists.find((l) => l.title === list.title);
  return list.items.map((item) => ({ ...item, other: twin?.items.find((o) => o.name === item.name)?.value ?? null }));
}

/** Choices that still exist among what is offered now; a choice that is gone would be refused. */
export function possible(chosen: Chosen, weights: Weights | null): Chosen {
  if (!weights) return {};
  const offered = (part: Part, value: string): boolean => !!weights.choices.find((c) => c.name === part)?.options.some((o) => o.name === value);
  return Object.fromEntries(Object.entries(chosen).filter(([part, value]) => offered(part as Part, value)));
}

/** What is chosen of one run and makes sense for another: the type and the group, not the moment. */
export function shared(chosen: Chosen): Chosen {
  const { type, group } = chosen;
  return { ...(type ? { type } : {}), ...(group ? { group } : {}) };
}
