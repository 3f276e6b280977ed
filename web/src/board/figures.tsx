// What stands on the cells: discs, stones, chessmen, crosses, matches.
import type { View } from '../api/types';
import { chessman, Chessman } from './chessmen';
import type { Dress } from './dress';
import { center, type Geometry } from './geometry';
import type { Piece } from './pieces';

/** The light on round stones. */
export function Shades() {
  return (
    <defs>
      <radialGradient id="shade-black" cx=".36" cy=".3" r=".85">
        <stop offset="0" class="shade-black-light" /><stop offset="1" class="shade-black-dark" />
      </radialGradient>
      <radialGradient id="shade-white" cx=".36" cy=".3" r=".85">
        <stop offset="0" class="shade-white-light" /><stop offset="1" class="shade-white-dark" />
      </radialGradient>
    </defs>
  );
}

export function Figure({ piece, dress }: { piece: Piece; dress: Dress }) {
  const man = chessman(piece.glyph);
  if (man) return <Chessman drawing={man} />;
  if (piece.glyph === '✕') return <path class="cross" d="M-2.8 -2.8L2.8 2.8M2.8 -2.8L-2.8 2.8" />;
  if (dress === 'grid' && piece.glyph === '○') return <circle class="nought" r={2.9} />;
  if (piece.glyph === '●' || piece.glyph === '○') {
    const radius = dress === 'go' ? 4.75 : dress === 'wells' ? 4.2 : 4.1;
    return (
      <g class="disc">
        {(dress === 'go' || dress === 'othello') && <circle class="disc-shadow" r={radius} cx={0.25} cy={0.45} />}
        <circle class="disc-face" r={radius} />
      </g>
    );
  }
  if (piece.glyph === '▶') return <path class="car" d="M-3 -3.4L3.6 0L-3 3.4Z" />;
  if (piece.glyph === '▲') return <path class="car" d="M-3.4 3L0 -3.6L3.4 3Z" />;
  return <text class="glyph" y={2.3} text-anchor="middle">{piece.glyph}</text>;
}

/** Cells that belong to nobody but show something: the matches of nim. */
export function Signs({ g, view }: { g: Geometry; view: View }) {
  return (
    <g class="signs">
      {view.picture.cells.map((cell, i) => {
        if (cell.owner !== null || ' ·.+'.includes(cell.glyph)) return null;
        const { x, y } = center(g, i);
        if (cell.glyph === '│') {
          return (
            <g key={i}>
              <rect class="match" x={x - 0.65} y={y - 3} width={1.3} height={7} rx={0.3} />
              <ellipse class="match-head" cx={x} cy={y - 3} rx={1.05} ry={1.4} />
            </g>
          );
        }
        return <text key={i} class="glyph" x={x} y={y + 2.3} text-anchor="middle">{cell.glyph}</text>;
      })}
    </g>
  );
}
