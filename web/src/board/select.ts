// Which move does a person mean who points at cells? The legal moves tell which cells each touches;
// this finds out, cell by cell, without knowing any game.
import type { LegalMove, Picture, Side } from '../api/types';

export interface Board {
  legal: LegalMove[];
  picture: Picture;
  mover: Side;
}

export type Pick =
  | { do: 'nothing' }
  | { do: 'select'; cells: number[] }
  | { do: 'play'; move: LegalMove }
  | { do: 'choose'; moves: LegalMove[]; cell: number };

/**
 * The cells of a move in the order in which one points at them. What is taken on the way stands before
 * the target in `cells` (morris), but a person shows the target first.
 */
export function order(move: LegalMove, board: Board): number[] {
  const last = move.cells.at(-1);
  const taken = (cell: number): boolean => {
    const owner = board.picture.cells[cell]?.owner;
    return cell !== last && (owner === 0 || owner === 1) && owner !== board.mover;
  };
  return [...move.cells.filter((c) => !taken(c)), ...move.cells.filter(taken)];
}

/** Games where things are taken from a row (nim): a move is all from one cell to the end. */
export function takes(board: Board): boolean {
  return (
    board.legal.some((m) => m.cells.length > 1) &&
    board.legal.every((m) => m.cells.every((c) => board.picture.cells[c]?.owner === null))
  );
}

/** Games with gravity (connect four): at most one cell a column, so that the column says it all. */
export function falls(board: Board): boolean {
  const { width, height } = board.picture;
  const columns = new Set(board.legal.map((m) => (m.cells[0] ?? 0) % width));
  if (columns.size !== board.legal.length || !board.legal.every((m) => m.cells.length === 1)) return false;
  // Every cell under a landing must be taken, or it is just a board that is nearly full.
  const resting = board.legal.every((m) => {
    const below = (m.cells[0] ?? 0) + width;
    return below >= width * height || typeof board.picture.cells[below]?.owner === 'number';
  });
  return resting && board.legal.length > 1;
}

const startsWith = (cells: number[], prefix: number[]): boolean => prefix.every((cell, i) => cells[i] === cell);

/** Somebody points at `cell` after `selected`. */
export function pick(board: Board, selected: number[], cell: number): Pick {
  if (takes(board)) {
    const move = board.legal.find((m) => m.cells[0] === cell);
    return move ? { do: 'play', move } : { do: 'nothing' };
  }
  const fits = (prefix: number[]): LegalMove[] => board.legal.filter((m) => m.cells.length > 0 && startsWith(order(m, board), prefix));

  const next = [...selected, cell];
  const found = fits(next);
  const whole = found.filter((m) => m.cells.length === next.length);
  if (found.length > 0) {
    if (whole.length === found.length) return whole.length === 1 && whole[0] ? { do: 'play', move: whole[0] } : { do: 'choose', moves: whole, cell };
    // Two cells say enough if only one move is left; one cell may still be taken back.
    if (next.length > 1 && found.length === 1 && found[0]) return { do: 'play', move: found[0] };
    return { do: 'select', cells: next };
  }
  if (selected.length > 0) {
    // Pointing at the last cell again plays a move that ends there, or gives the selection up.
    if (selected.at(-1) === cell) {
      const done = fits(selected).filter((m) => m.cells.length === selected.length);
      return done[0] ? { do: 'play', move: done[0] } : { do: 'select', cells: [] };
    }
    const fresh = pick(board, [], cell);
    return fresh.do === 'nothing' ? { do: 'select', cells: [] } : fresh;
  }
  if (falls(board)) {
    const width = board.picture.width;
    const move = board.legal.find((m) => (m.cells[0] ?? 0) % width === cell % width);
    if (move) return { do: 'play', move };
  }
  return { do: 'nothing' };
}

/** The cells at which one may point next. */
export function targets(board: Board, selected: number[]): Set<number> {
  const result = new Set<number>();
  if (takes(board)) {
    for (const m of board.legal) if (m.cells[0] !== undefined) result.add(m.cells[0]);
    return result;
  }
  for (const move of board.legal) {
    const cells = order(move, board);
    const next = cells[selected.length];
    if (next !== undefined && startsWith(cells, selected)) result.add(next);
    // Pointing at the last cell once more plays a move that ends there.
    const end = selected.at(-1);
    if (end !== undefined && cells.length === selected.length && startsWith(cells, selected)) result.add(end);
  }
  return result;
}

/** May the piece on this cell leave the board? */
export function leaves(board: Board, cell: number): boolean {
  return board.legal.some((m) => m.cells.length === 1 && m.cells[0] === cell);
}

/** A dot shows where a move may go; where it starts is plain from the piece that stands there. */
export function dots(board: Board, selected: number[]): Set<number> {
  const all = targets(board, selected);
  if (selected.length > 0) return all;
  return new Set([...all].filter((cell) => board.picture.cells[cell]?.owner === null));
}
