// Drawing on the board: with which tool, and what is drawn at the position that is shown.
import { computed, signal } from '@preact/signals';
import { type Colour, cellOf, type Drawing, drawingsOf, nextLabel, toggle, withDrawings } from './drawings';
import { page } from './navigation';
import { edit, kind, moves, settled, table, view } from './session';
import { numbered } from './settings';
import * as t from './tree';

/** What a plain click draws; without a tool the right button draws circles and arrows. */
export const TOOLS = ['circle', 'triangle', 'square', 'cross', 'letter', 'number', 'arrow', 'line'] as const;
export type Tool = (typeof TOOLS)[number];
export const tool = signal<Tool | null>(null);

export const drawings = computed<Drawing[]>(() => {
  const { tree, at } = table.value;
  return page.value === 'play' || !settled.value || !view.value ? [] : drawingsOf(t.node(tree, at).comment, view.value.picture);
});

function put(next: Drawing[]): void {
  const picture = view.value?.picture;
  if (!picture) return;
  edit((tree) => t.comment(tree, table.value.at, withDrawings(t.node(tree, table.value.at).comment, next, picture)));
}

/** A stroke over the board; from a cell to itself it is a sign on that cell. */
export function stroke(from: number, to: number, { colour }: { colour: Colour }): void {
  const here = drawings.value;
  const chosen = tool.value;
  if (from !== to) put(toggle(here, { shape: chosen === 'line' ? 'line' : 'arrow', cell: from, to, ...(chosen === 'line' ? {} : { colour }) }));
  else if (chosen === 'letter' || chosen === 'number') put(toggle(here, { shape: 'label', cell: from, text: nextLabel(here, chosen === 'number') }));
  else if (chosen === 'triangle' || chosen === 'square' || chosen === 'cross') put(toggle(here, { shape: chosen, cell: from }));
  else put(toggle(here, { shape: 'circle', cell: from, colour }));
}

export function clear(): void {
  put([]);
}

/** When each stone came, where moves are the names of cells and somebody wants to see it. */
export const numbers = computed<ReadonlyMap<number, number> | undefined>(() => {
  const picture = view.value?.picture;
  if (!numbered.value || !picture || !settled.value || (kind.value !== 'go' && kind.value !== 'othello')) return undefined;
  const found = new Map<number, number>();
  let number = 0;
  for (const move of moves.value) {
    const cell = cellOf(picture, move);
    // Othello counts discs, Go counts passes too.
    if (cell !== undefined || kind.value === 'go') number += 1;
    if (cell !== undefined) found.set(cell, number);
  }
  // Both would not be readable.
  for (const d of drawings.value) if (d.shape === 'label') found.delete(d.cell);
  return found;
});
