// What is drawn over or under the pieces to explain a position: arrows, numbers, values, heat.
import type { Side } from '../api/types';
import { CELL, center, corner, type Geometry } from './geometry';

export interface Arrow {
  cells: number[];
  /** Which of several: 0 is the most important one and drawn strongest. */
  rank: number;
}

/** A move of a line to come, for games whose moves are one cell. */
export interface Ghost {
  cell: number;
  side: Side;
  number: number;
}

export interface Badge {
  text: string;
  /** How good, 0 (bad) … 1 (good), from the view of whoever is to move. */
  tone: number;
  best: boolean;
}

export function Arrows({ g, arrows }: { g: Geometry; arrows: Arrow[] }) {
  return (
    <g class="arrows">
      {arrows.map(({ cells, rank }, i) => {
        const [from, to] = [cells[0], cells.at(-1)];
        if (from === undefined || to === undefined) return null;
        const opacity = Math.max(0.25, 0.85 - 0.2 * rank);
        if (from === to) {
          const { x, y } = center(g, from);
          return <circle key={i} class="ring" cx={x} cy={y} r={4.2} opacity={opacity} />;
        }
        return <path key={i} class={`arrow rank-${Math.min(rank, 3)}`} d={arrowPath(center(g, from), center(g, to))} opacity={opacity} />;
      })}
    </g>
  );
}

/** An arrow as one outline, so that it has one even transparency. */
export function arrowPath(a: { x: number; y: number }, b: { x: number; y: number }): string {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const at = (along: number, aside: number): string =>
    `${(a.x + ux * along - uy * aside).toFixed(2)} ${(a.y + uy * along + ux * aside).toFixed(2)}`;
  const [shaft, head, tip] = [0.85, 2.3, length - 1];
  const neck = tip - 3.6;
  return `M${at(2.5, shaft)}L${at(neck, shaft)}L${at(neck, head)}L${at(tip, 0)}L${at(neck, -head)}L${at(neck, -shaft)}L${at(2.5, -shaft)}Z`;
}

export function Ghosts({ g, ghosts, sideClasses }: { g: Geometry; ghosts: Ghost[]; sideClasses: [string, string] }) {
  return (
    <g class="ghosts">
      {ghosts.map(({ cell, side, number }) => {
        const { x, y } = center(g, cell);
        return (
          <g key={number} class={sideClasses[side]} transform={`translate(${x} ${y})`}>
            <circle class="ghost" r={4.3} />
            <text class="ghost-number" y={1.35} text-anchor="middle">{number}</text>
          </g>
        );
      })}
    </g>
  );
}

export function Heat({ g, heat }: { g: Geometry; heat: ReadonlyMap<number, number> }) {
  const most = Math.max(...heat.values(), 1e-9);
  return (
    <g class="heat">
      {[...heat].map(([cell, probability]) => {
        const { x, y } = center(g, cell);
        // The root keeps small chances visible; what is likely must still stand out.
        const strength = Math.sqrt(probability / most);
        return (
          <g key={cell} transform={`translate(${x} ${y})`}>
            <circle r={1.6 + 3 * strength} opacity={0.25 + 0.6 * strength} />
            {probability >= 0.01 && <text y={0.95} text-anchor="middle">{Math.round(probability * 100)}</text>}
          </g>
        );
      })}
    </g>
  );
}

export function Badges({ g, badges, low }: { g: Geometry; badges: ReadonlyMap<number, Badge>; low: ReadonlySet<number> }) {
  return (
    <g class="badges">
      {[...badges].map(([cell, { text, tone, best }]) => {
        const { x, y } = corner(g, cell);
        // On a piece the value sits at its foot and small, on an empty cell it has the middle.
        const foot = low.has(cell);
        const size = foot ? 2.05 : 2.7 * Math.min(1, Math.max(0.5, g.width / 7));
        const [width, height] = [Math.min(CELL - 0.4, 0.75 * size + text.length * size * (text.startsWith('W') ? 0.74 : 0.63)), size * 1.4];
        const top = foot ? y + CELL - height : y + CELL / 2 - height / 2;
        return (
          <g key={cell} class={`badge${best ? ' best' : ''} tone-${Math.round(Math.max(0, Math.min(1, tone)) * 4)}`}>
            <rect x={x + (CELL - width) / 2} y={top} width={width} height={height} rx={size / 2} />
            <text x={x + CELL / 2} y={top + size * 1.05} text-anchor="middle" font-size={size}
              textLength={text.length > 5 ? CELL - 1.4 : undefined} lengthAdjust="spacingAndGlyphs">{text}</text>
          </g>
        );
      })}
    </g>
  );
}
