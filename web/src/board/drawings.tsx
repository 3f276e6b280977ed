// What a person or a file has drawn on the board.
import type { Drawing } from '../state/drawings';
import { CELL, center, corner, type Geometry } from './geometry';
import { arrowPath } from './overlays';

export function Drawings({ g, drawings, occupied }: { g: Geometry; drawings: Drawing[]; occupied: ReadonlyMap<number, string> }) {
  return (
    <g class="drawings">
      {drawings.map((d) => (
        <g key={`${d.shape} ${d.cell} ${d.to ?? ''}`} class={`drawing colour-${d.colour ?? 'none'} ${occupied.get(d.cell) ?? 'on-board'}`}><Stroke g={g} d={d} /></g>
      ))}
    </g>
  );
}

function Stroke({ g, d }: { g: Geometry; d: Drawing }) {
  const { x, y } = center(g, d.cell);
  if (d.to !== undefined) {
    const end = center(g, d.to);
    return d.shape === 'arrow' ? <path class="drawn-arrow" d={arrowPath({ x, y }, end)} /> : <line class="stroke" x1={x} y1={y} x2={end.x} y2={end.y} />;
  }
  switch (d.shape) {
    case 'circle': return <circle class="stroke" cx={x} cy={y} r={d.colour && g.width <= 10 ? 4.3 : 2.9} />;
    case 'triangle': return <path class="stroke" d={`M${x} ${y - 3.2}l2.8 4.8h-5.6z`} />;
    case 'square': return <rect class="stroke" x={x - 2.2} y={y - 2.2} width={4.4} height={4.4} />;
    case 'cross': return <path class="stroke" d={`M${x - 2.2} ${y - 2.2}l4.4 4.4m0-4.4l-4.4 4.4`} />;
    case 'label': {
      const text = (d.text ?? '').length > 10 ? `${d.text?.slice(0, 9)}…` : (d.text ?? '');
      return (
        <>
          <circle class="label-ground" cx={x} cy={y} r={3.4} />
          <text x={x} y={y + 1.9} text-anchor="middle" font-size={text.length > 2 ? 3.4 : 5.2}
            textLength={text.length > 4 ? CELL - 1 : undefined} lengthAdjust="spacingAndGlyphs">{text}</text>
        </>
      );
    }
    default: {
      const at = corner(g, d.cell);
      return <rect class={d.shape} x={at.x} y={at.y} width={CELL} height={CELL} />;
    }
  }
}
