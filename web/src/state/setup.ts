// Setting up a position by hand. Only here does the page know how a game writes its positions; whether one can be
// played is for the server to say.
import type { Cell, Kind, Picture, Side, View } from '../api/types';

export interface Man {
  letter: string;
  owner: Side;
  glyph: string;
  name: string;
}

const stone = (letter: string, owner: Side, glyph: string, name: string): Man => ({ letter, owner, glyph, name });

const STONES: Man[] = [stone('X', 0, '●', 'black'), stone('O', 1, '○', 'white')];
const MEN: Man[] = (['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'] as const).flatMap((name, i) => {
  const letter = 'KQRBNP'[i] ?? '';
  return [stone(letter, 0, '♔♕♖♗♘♙'[i] ?? '', `white ${name}`), stone(letter.toLowerCase(), 1, '♚♛♜♝♞♟'[i] ?? '', `black ${name}`)];
});

/** What can be put on the board; nothing where the page cannot write positions of the game. */
export function men(kind: Kind): Man[] {
  return kind === 'chess' ? MEN : kind === 'grid' ? [] : STONES;
}

export interface Draft {
  picture: Picture;
  toMove: Side;
  /** Chess: which castlings are still allowed, of KQkq. */
  castling: string;
}

export const RIGHTS = ['K', 'Q', 'k', 'q'] as const;

export function draftOf(view: View): Draft {
  const rights = view.position.split(' ')[2] ?? '';
  return { picture: view.picture, toMove: view.to_move, castling: RIGHTS.filter((r) => rights.includes(r)).join('') };
}

const EMPTY: Cell = { owner: null, glyph: '', letter: '' };

/** Puts a man on a cell, or clears it; the same man again takes it away. */
export function put(picture: Picture, cell: number, man: Man | null): Picture {
  const there = picture.cells[cell];
  const next: Cell = man && there?.letter !== man.letter ? { owner: man.owner, glyph: man.glyph, letter: man.letter } : EMPTY;
  return { ...picture, cells: picture.cells.map((c, i) => (i === cell ? next : c)) };
}

export function carry(picture: Picture, from: number, to: number): Picture {
  const man = picture.cells[from] ?? EMPTY;
  return { ...picture, cells: picture.cells.map((c, i) => (i === to ? man : i === from ? EMPTY : c)) };
}

export const cleared = (picture: Picture): Picture => ({ ...picture, cells: picture.cells.map(() => EMPTY) });

const held = (cell: Cell | undefined): string => (typeof cell?.owner === 'number' ? cell.letter : '');

/** Rows with numbers for what is empty, as in a FEN. */
function rows({ width, height, cells }: Picture): string {
  return Array.from({ length: height }, (_, row) => {
    let [text, gap] = ['', 0];
    for (const cell of cells.slice(row * width, (row + 1) * width)) {
      const letter = held(cell);
      if (!letter) { gap += 1; continue; }
      text += `${gap || ''}${letter}`;
      gap = 0;
    }
    return `${text}${gap || ''}`;
  }).join('/');
}

/** The position as the game writes it. */
export function positionOf(kind: Kind, { picture, toMove, castling }: Draft): string {
  if (kind === 'chess') return `${rows(picture)} ${toMove === 0 ? 'w' : 'b'} ${castling || '-'} - 0 1`;
  if (kind === 'go') return `${rows(picture)} ${toMove === 0 ? 'black' : 'white'}`;
  return `${picture.cells.map((cell) => held(cell) || '-').join('')} ${toMove === 0 ? 'X' : 'O'}`;
}
