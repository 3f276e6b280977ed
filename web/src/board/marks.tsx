// Marks on cells: the last move, the selection, where one may go.
import type { Side, View } from '../api/types';
import type { Dress } from './dress';
import { CELL, center, corner, type Geometry } from './geometry';

export function Marks({ g, dress, last, selected }: { g: Geometry; dress: Dress; last: number[]; selected: number[] }) {
  const round = dress === 'go' || dress === 'lines' || dress === 'wells';
  const mark = (cell: number, kind: string) => {
    const { x, y } = corner(g, cell);
    return round
      ? <circle key={`${kind}${cell}`} class={kind} cx={x + CELL / 2} cy={y + CELL / 2} r={4.9} />
      : <rect key={`${kind}${cell}`} class={kind} x={x} y={y} width={CELL} height={CELL} rx={dress === 'grid' ? 1 : 0} />;
  };
  // Stones have a dot on them instead; a mark under them would not be seen.
  const dotted = dress === 'go' || dress === 'othello' || dress === 'wells';
  return (
    <g class="marks">
      {!dotted && last.map((cell) => mark(cell, 'last'))}
      {selected.map((cell) => mark(cell, 'selected'))}
    </g>
  );
}

export function LastDot({ g, dress, view, sideClasses }: { g: Geometry; dress: Dress; view: View; sideClasses: [string, string] }) {
  const cell = view.last.at(-1);
  const owner = cell === undefined ? null : view.picture.cells[cell]?.owner;
  if (cell === undefined || (owner !== 0 && owner !== 1) || !['go', 'othello', 'wells'].includes(dress)) return null;
  const { x, y } = center(g, cell);
  return <circle class={`last-dot on-${sideClasses[owner as Side]}`} cx={x} cy={y} r={dress === 'go' ? 2.3 : 1.1} />;
}

export function Dots({ g, cells, occupied, sideClass: side }: { g: Geometry; cells: ReadonlySet<number>; occupied: ReadonlySet<number>; sideClass: string }) {
  return (
    <g class={`dots ${side}`}>
      {[...cells].map((cell) => {
        const { x, y } = center(g, cell);
        return occupied.has(cell)
          ? <circle key={cell} class="dot-take" cx={x} cy={y} r={4.3} />
          : <circle key={cell} class="dot" cx={x} cy={y} r={Math.max(0.6, Math.min(1.35, g.width * 0.17))} />;
      })}
    </g>
  );
}

/** When each stone came; the last one stands out. */
export function Numbers({ g, view, numbers, sideClasses }: { g: Geometry; view: View; numbers: ReadonlyMap<number, number>; sideClasses: [string, string] }) {
  const last = Math.max(...numbers.values());
  return (
    <g class="numbers">
      {[...numbers].map(([cell, number]) => {
        const owner = view.picture.cells[cell]?.owner;
        if (owner !== 0 && owner !== 1) return null;
        const { x, y } = center(g, cell);
        return <text key={cell} class={`on-${sideClasses[owner]}${number === last ? ' newest' : ''}`} x={x} y={y + 1.5} text-anchor="middle" font-size={number > 99 ? 3.6 : 4.4}>{number}</text>;
      })}
    </g>
  );
}

/** Where a stone would come, with lines across the board that a finger does not hide. */
export function Aim({ g, cell, side }: { g: Geometry; cell: number; side: string }) {
  const { x, y } = center(g, cell);
  return (
    <g class={`aim ${side}`}>
      <path d={`M${g.left} ${y}h${g.width * CELL}M${x} ${g.top}v${g.height * CELL}`} />
      <circle class="ghost" cx={x} cy={y} r={4.3} />
    </g>
  );
}
