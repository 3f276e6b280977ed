// The pieces that stand on a board, each with a key of its own: so a piece that moves is the same
// piece before and after, and the page can let it glide instead of vanish and appear.
import type { Picture, Side } from '../api/types';

export interface Piece {
  key: number;
  cell: number;
  owner: Side;
  glyph: string;
  /** Why it looks as it does now: nothing, it came, or it changed its owner where it stands. */
  event: 'none' | 'placed' | 'turned';
}

let nextKey = 1;

/** The pieces of `picture`, recognised from `before` where possible. */
export function follow(before: Piece[] | null, picture: Picture, discs: boolean): Piece[] {
  const pieces: Piece[] = [];
  const loose: { cell: number; owner: Side; glyph: string }[] = [];
  const old = new Map((before ?? []).map((piece) => [piece.cell, piece]));
  picture.cells.forEach(({ owner, glyph }, cell) => {
    if (owner !== 0 && owner !== 1) return;
    const here = old.get(cell);
    if (here && here.owner === owner && here.glyph === glyph) {
      pieces.push({ ...here, event: 'none' });
      old.delete(cell);
    } else if (here && discs && here.owner !== owner) {
      pieces.push({ ...here, owner, glyph, event: 'turned' });
      old.delete(cell);
    } else {
      loose.push({ cell, owner, glyph });
    }
  });
  for (const { cell, owner, glyph } of loose) {
    const from = discs ? undefined : nearest([...old.values()], cell, owner, glyph, picture.width);
    if (from) {
      old.delete(from.cell);
      pieces.push({ ...from, cell, event: 'none' });
    } else {
      pieces.push({ key: nextKey++, cell, owner, glyph, event: before ? 'placed' : 'none' });
    }
  }
  // The order of the keys, not of the cells: an element that changes its place would lose its glide.
  return pieces.sort((a, b) => a.key - b.key);
}

function nearest(pieces: Piece[], cell: number, owner: Side, glyph: string, width: number): Piece | undefined {
  const away = (piece: Piece): number =>
    Math.hypot((piece.cell % width) - (cell % width), Math.floor(piece.cell / width) - Math.floor(cell / width));
  return pieces
    .filter((piece) => piece.owner === owner && piece.glyph === glyph)
    .sort((a, b) => away(a) - away(b))[0];
}
