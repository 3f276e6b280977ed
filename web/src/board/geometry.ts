// Where things are on a board, in units of which a cell has ten.
import type { Picture } from '../api/types';

export const CELL = 10;

export interface Geometry {
  width: number;
  height: number;
  /** Room left of the board and below it, and above and right of it. */
  left: number;
  top: number;
  /** The whole drawing with its margins. */
  across: number;
  down: number;
  flipped: boolean;
}

/** Coordinates stand on the left and below (`labels`), a plain edge is on the other two sides. */
export function geometry(picture: Picture, labels: number, edge: number, flipped: boolean): Geometry {
  const { width, height } = picture;
  return { width, height, left: labels, top: edge, across: width * CELL + labels + edge, down: height * CELL + labels + edge, flipped };
}

/** Column and row as drawn, counted from the top left. */
export function place(g: Geometry, cell: number): { column: number; row: number } {
  const [column, row] = [cell % g.width, Math.floor(cell / g.width)];
  return g.flipped ? { column: g.width - 1 - column, row: g.height - 1 - row } : { column, row };
}

/** The top left corner of a cell. */
export function corner(g: Geometry, cell: number): { x: number; y: number } {
  const { column, row } = place(g, cell);
  return { x: g.left + column * CELL, y: g.top + row * CELL };
}

export function center(g: Geometry, cell: number): { x: number; y: number } {
  const { x, y } = corner(g, cell);
  return { x: x + CELL / 2, y: y + CELL / 2 };
}

/** The cell at a point given as parts (0…1) of the drawing; null outside. */
export function cellAt(g: Geometry, across: number, down: number): number | null {
  const column = Math.floor((across * g.across - g.left) / CELL);
  const row = Math.floor((down * g.down - g.top) / CELL);
  if (column < 0 || row < 0 || column >= g.width || row >= g.height) return null;
  return g.flipped ? (g.height - 1 - row) * g.width + (g.width - 1 - column) : row * g.width + column;
}

/** The name of a cell ("e4") where the picture has labels, and its number otherwise. */
export function cellName(picture: Picture, cell: number): string {
  const column = picture.columns[cell % picture.width];
  const row = picture.rows[Math.floor(cell / picture.width)];
  return column || row ? `${column ?? ''}${row ?? ''}` : `${cell + 1}`;
}
