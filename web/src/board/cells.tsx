// The cells for pointer, keyboard and screen reader: invisible, over the picture.
import type { View } from '../api/types';
import { chessman } from './chessmen';
import { CELL, cellName, corner, type Geometry } from './geometry';

interface CellsProps {
  g: Geometry;
  view: View;
  reachable: ReadonlySet<number>;
  selected: number[];
  focused: number;
  onFocus(cell: number): void;
}

export function Cells({ g, view, reachable, selected, focused, onFocus }: CellsProps) {
  return (
    <>
      {rowsOf(g).map((row, i) => (
        <div role="row" key={i}>
          {row.map((cell) => {
            if (view.picture.cells[cell]?.owner === 'outside') return <span role="gridcell" key={cell} class="outside" />;
            const spot = corner(g, cell);
            return (
              <div role="gridcell" key={cell} data-cell={cell} tabIndex={cell === focused ? 0 : -1}
                class={reachable.has(cell) ? 'can' : ''} aria-label={describe(view, cell, reachable)}
                aria-selected={selected.includes(cell)} onFocus={() => onFocus(cell)}
                style={{
                  left: `${(100 * spot.x) / g.across}%`, top: `${(100 * spot.y) / g.down}%`,
                  width: `${(100 * CELL) / g.across}%`, height: `${(100 * CELL) / g.down}%`,
                }} />
            );
          })}
        </div>
      ))}
    </>
  );
}

function rowsOf(g: Geometry): number[][] {
  const rows = Array.from({ length: g.height }, (_, r) => Array.from({ length: g.width }, (_, c) => r * g.width + c));
  return g.flipped ? rows.reverse().map((row) => row.reverse()) : rows;
}

const MEN: Record<string, string> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

function describe(view: View, cell: number, reachable: ReadonlySet<number>): string {
  const { owner, letter, glyph } = view.picture.cells[cell] ?? { owner: null, letter: '', glyph: '' };
  const parts = [cellName(view.picture, cell)];
  if (owner === 0 || owner === 1) {
    const man = chessman(glyph) ? MEN[letter.toLowerCase()] : undefined;
    parts.push([view.sides[owner], man].filter(Boolean).join(' '));
  } else {
    parts.push('empty');
  }
  if (reachable.has(cell)) parts.push('possible');
  if (view.last.includes(cell)) parts.push('last move');
  return parts.join(', ');
}
