// A line chart: several series over one axis, a legend, and the values under the pointer.
import { useState } from 'preact/hooks';
import { brief, ticks } from './scale';
import { useWidth } from './width';

export interface Series {
  name: string;
  points: [number, number][];
  /** Series of the second run are dashed. */
  dashed?: boolean;
  /** Which of the colours. */
  color: number;
}

const [LEFT, RIGHT, TOP, BOTTOM] = [48, 10, 8, 22];

export function LineChart({ title, series, height = 190 }: { title: string; series: Series[]; height?: number }) {
  const [element, width] = useWidth<HTMLElement>(480);
  const [pointer, setPointer] = useState<number | null>(null);
  const all = series.flatMap((s) => s.points);
  if (!all.length) return null;
  const [x0, x1] = extent(all.map((p) => p[0]), 0);
  const [y0, y1] = extent(all.map((p) => p[1]), 0.06);
  const x = (v: number): number => LEFT + ((v - x0) / (x1 - x0)) * (width - LEFT - RIGHT);
  const y = (v: number): number => height - BOTTOM - ((v - y0) / (y1 - y0)) * (height - TOP - BOTTOM);
  const at = pointer === null ? null : x0 + ((pointer - LEFT) / (width - LEFT - RIGHT)) * (x1 - x0);
  const near = at === null ? [] : series.map((s) => closest(s.points, at));
  return (
    <figure class="chart" ref={element}>
      <figcaption>
        <strong>{title}</strong>
        <span class="legend">
          {series.map((s, i) => (
            <span key={s.name} class={`key color-${s.color % 6}${s.dashed ? ' dashed' : ''}`}>
              <svg width="18" height="8" aria-hidden="true"><line class="series" x1="0" x2="18" y1="4" y2="4" /></svg>
              {s.name}{near[i] ? <b>{brief(near[i][1])}</b> : null}
            </span>
          ))}
        </span>
      </figcaption>
      <svg width={width} height={height} role="img" aria-label={`${title}: ${series.map((s) => `${s.name} ends at ${brief(s.points.at(-1)?.[1] ?? 0)}`).join(', ')}`}
        onPointerMove={(e) => setPointer(e.clientX - e.currentTarget.getBoundingClientRect().left)} onPointerLeave={() => setPointer(null)}>
        {ticks(y0, y1, 4).map((v) => (
          <g key={v} class="axis"><line x1={LEFT} x2={width - RIGHT} y1={y(v)} y2={y(v)} /><text x={LEFT - 6} y={y(v) + 4} text-anchor="end">{brief(v)}</text></g>
        ))}
        {ticks(x0, x1, Math.max(2, Math.floor(width / 110))).map((v) => (
          <text key={v} class="axis-x" x={x(v)} y={height - 6} text-anchor="middle">{brief(v)}</text>
        ))}
        {series.map((s) => (
          <path key={s.name} class={`series color-${s.color % 6}${s.dashed ? ' dashed' : ''}`}
            d={s.points.map(([a, b], i) => `${i ? 'L' : 'M'}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join('')} />
        ))}
        {at !== null && <line class="pointer" x1={x(at)} x2={x(at)} y1={TOP} y2={height - BOTTOM} />}
        {near.map((p, i) => p && <circle key={i} class={`series-dot color-${(series[i]?.color ?? 0) % 6}`} cx={x(p[0])} cy={y(p[1])} r={3.5} />)}
        {near[0] && at !== null && <text class="axis-x" x={Math.min(width - 40, Math.max(LEFT + 20, x(at)))} y={TOP + 4} text-anchor="middle">at {brief(near[0][0])}</text>}
      </svg>
    </figure>
  );
}

/** From least to most, with some room; a flat line gets room too. */
function extent(values: number[], room: number): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) { low = Math.min(low, v); high = Math.max(high, v); }
  if (low === high) { const pad = Math.abs(low) * 0.1 || 1; return [low - pad, high + pad]; }
  const pad = (high - low) * room;
  return [low - pad, high + pad];
}

function closest(points: [number, number][], at: number): [number, number] | undefined {
  let best: [number, number] | undefined;
  for (const p of points) if (!best || Math.abs(p[0] - at) < Math.abs(best[0] - at)) best = p;
  return best;
}
