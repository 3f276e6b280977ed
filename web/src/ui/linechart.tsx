// A chart: several series over one axis, a legend, and the values under the pointer.
import { useState } from 'preact/hooks';
import type { PlotMark } from '../api/types';
import { brief, ticks } from './scale';
import { useWidth } from './width';

export interface Series {
  name: string;
  /** Across, up, and half the height of the error bar. */
  points: [number, number, number][];
  mark: PlotMark;
  /** Which of the dashes. */
  dash: number;
  /** Which of the colours. */
  color: number;
}

interface ChartProps {
  title: string;
  x?: string;
  y?: string;
  xRange?: [number, number] | null;
  yRange?: [number, number] | null;
  /** Names for 0, 1, 2, … across. */
  categories?: string[];
  caption?: string;
  series: Series[];
  height?: number;
}

const [LEFT, RIGHT, TOP, BOTTOM] = [48, 10, 8, 22];
/** As many as the report has. */
const COLORS = 8;
/** Lines are told apart by their dashes too, as in reports. */
const DASHES = ['', '7 3', '2 3', '9 3 2 3'];
/** A line of more points gets no marks: they would cover each other. */
const MARKED = 40;

export function LineChart({ title, x: across, y: up, xRange, yRange, categories = [], caption, series, height = 200 }: ChartProps) {
  const [element, width] = useWidth<HTMLElement>(480);
  const [pointer, setPointer] = useState<number | null>(null);
  const all = series.flatMap((s) => s.points);
  if (!all.length) return null;
  const bars = series.filter((s) => s.mark === 'bars');
  const [x0, x1] = categories.length ? [-0.6, categories.length - 0.4] : xRange ?? extent(all.map((p) => p[0]), bars.length ? 0.06 : 0);
  const [y0, y1] = yRange ?? extent([...all.flatMap((p) => [p[1] - p[2], p[1] + p[2]]), ...(bars.length ? [0] : [])], 0.06);
  const x = (v: number): number => LEFT + ((v - x0) / (x1 - x0)) * (width - LEFT - RIGHT);
  const y = (v: number): number => height - BOTTOM - ((v - y0) / (y1 - y0)) * (height - TOP - BOTTOM);
  const at = pointer === null ? null : x0 + ((pointer - LEFT) / (width - LEFT - RIGHT)) * (x1 - x0);
  const near = at === null ? [] : series.map((s) => closest(s.points, at));
  const look = (s: Series): string => `color-${s.color % COLORS}${s.mark === 'guide' ? ' dashed' : ''}`;
  const bar = barWidth(bars, x);
  const name = (v: number): string => categories[Math.round(v)] ?? brief(v);
  return (
    <figure class="chart" ref={element}>
      <figcaption>
        <strong>{title}</strong>{(up || across) && <span class="quiet">{[up, across && `over ${across}`].filter(Boolean).join(' ')}</span>}
        <span class="legend">
          {series.map((s, i) => (
            <span key={i} class={`key ${look(s)}`}>
              <svg width="18" height="8" aria-hidden="true">
                {s.mark === 'bars' ? <rect class="series-dot" x="4" width="10" height="8" /> : s.mark === 'points' ? <circle class="series-dot" cx="9" cy="4" r="3" /> : <line class="series" style={dash(s)} x1="0" x2="18" y1="4" y2="4" />}
              </svg>
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
        {(categories.length ? every(categories.map((_, i) => i), width / 42) : ticks(x0, x1, Math.max(2, Math.floor(width / 110)))).map((v) => (
          <text key={v} class="axis-x" x={Math.min(x(v), width - 4 * name(v).length - 1)} y={height - 6} text-anchor="middle">{name(v)}</text>
        ))}
        {series.map((s, i) => (
          <g key={i} class={look(s)}>
            {s.mark === 'bars' ? s.points.map(([a, b], j) => (
              <rect key={j} class="series-dot" x={x(a) + (bars.indexOf(s) - bars.length / 2) * bar} width={Math.max(0, bar * 0.92)} y={Math.min(y(b), y(0))} height={Math.abs(y(b) - y(0))} />
            )) : s.mark !== 'points' && <path class="series" style={dash(s)} d={s.points.map(([a, b], j) => `${j ? 'L' : 'M'}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join('')} />}
            {s.points.map(([a, b, e], j) => e > 0 && <line key={j} class="series error" x1={x(a)} x2={x(a)} y1={y(b - e)} y2={y(b + e)} />)}
            {(s.mark === 'points' || (s.mark === 'line' && s.points.length <= MARKED)) && s.points.map(([a, b], j) => <circle key={j} class="series-dot" cx={x(a)} cy={y(b)} r={2.5} />)}
          </g>
        ))}
        {at !== null && <line class="pointer" x1={x(at)} x2={x(at)} y1={TOP} y2={height - BOTTOM} />}
        {near.map((p, i) => p && <g key={i} class={`color-${(series[i]?.color ?? 0) % COLORS}`}><circle class="series-dot" cx={x(p[0])} cy={y(p[1])} r={3.5} /></g>)}
        {near[0] && at !== null && <text class="axis-x" x={Math.min(width - 40, Math.max(LEFT + 20, x(at)))} y={TOP + 4} text-anchor="middle">at {name(near[0][0])}</text>}
      </svg>
      {caption && <p class="quiet">{caption}</p>}
    </figure>
  );
}

function dash(s: Series): { 'stroke-dasharray': string } | undefined {
  const dashes = s.mark === 'line' ? DASHES[s.dash % DASHES.length] : undefined;
  return dashes ? { 'stroke-dasharray': dashes } : undefined;
}

/** Not more names than there is room for. */
function every(places: number[], most: number): number[] {
  const step = Math.max(1, Math.ceil(places.length / most));
  return places.filter((place) => place % step === 0);
}

/** Bars of several series stand side by side and leave a gap to the next. */
function barWidth(bars: Series[], x: (v: number) => number): number {
  const places = [...new Set(bars.flatMap((s) => s.points.map((p) => p[0])))].sort((a, b) => a - b);
  const gap = places.slice(1).reduce((least, p, i) => Math.min(least, p - (places[i] ?? p)), Infinity);
  return (Number.isFinite(gap) ? (x(gap) - x(0)) * 0.8 : 24) / Math.max(1, bars.length);
}

/** From least to most, with some room; a flat line gets room too. */
function extent(values: number[], room: number): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) { low = Math.min(low, v); high = Math.max(high, v); }
  if (low === high) { const pad = Math.abs(low) * 0.1 || 1; return [low - pad, high + pad]; }
  const pad = (high - low) * room;
  return [low - pad, high + pad];
}

function closest(points: [number, number, number][], at: number): [number, number, number] | undefined {
  let best: [number, number, number] | undefined;
  for (const p of points) if (!best || Math.abs(p[0] - at) < Math.abs(best[0] - at)) best = p;
  return best;
}
