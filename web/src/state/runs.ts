// Runs made ready for charts. The server sends the plots of a run's report, so charts and report have
// the same titles in the same order; here two runs come together on one chart.
import type { Metrics, Plot } from '../api/types';
import type { Series } from '../ui/linechart';

export interface Chart {
  /** The part of the report that it belongs to. */
  section: string;
  plot: Plot;
  series: Series[];
}

/** Is a process at work on the run? */
export function isRunning(state: string): boolean {
  return /run|learn|active/i.test(state);
}

/** The charts of a run, with the curves of another one dashed in those that both have. */
export function charts(own: Plot[], name: string, other?: { name: string; plots: Plot[] }): Chart[] {
  const found: Chart[] = own.map((plot) => {
    const twin = other?.plots.find((p) => p.title === plot.title);
    const mine = series(plot, other ? name : '', other ? 0 : null);
    return { section: plot.section, plot: { ...plot, ...ranges(plot, twin) }, series: twin && other ? [...mine, ...series(twin, other.name, 1)] : mine };
  });
  for (const plot of other?.plots ?? []) {
    if (other && !own.some((p) => p.title === plot.title)) found.push({ section: `Only of ${other.name}`, plot, series: series(plot, other.name, 1) });
  }
  return found;
}

/**
 * Curves with their names, and that of the run where there are two. Colours and dashes are those of the
 * report; of two runs each has dashes of its own.
 */
function series(plot: Plot, run: string, dash: number | null): Series[] {
  return plot.series.map((s, color) => ({
    name: [s.name, run].filter(Boolean).join(' · ') || plot.title,
    points: s.points.flatMap(([x, y], i): Series['points'] => (x === null || y === null ? [] : [[x, y, s.errors?.[i] ?? 0]])),
    mark: s.mark, color, dash: dash ?? Math.floor(color / 8) + color,
  }));
}

function ranges(plot: Plot, twin: Plot | undefined): Pick<Plot, 'x_range' | 'y_range'> {
  const wider = (a: [number, number] | null, b: [number, number] | null): [number, number] | null =>
    (a && b ? [Math.min(a[0], b[0]), Math.max(a[1], b[1])] : null);
  if (!twin) return { x_range: plot.x_range, y_range: plot.y_range };
  return { x_range: wider(plot.x_range, twin.x_range), y_range: wider(plot.y_range, twin.y_range) };
}

/** Puts new rows after the old ones; a row that comes again (after a reconnect) replaces the old one. */
export function merge(old: Metrics[], fresh: Metrics[]): Metrics[] {
  const rows = new Map(old.map((row) => [row.step, row]));
  for (const row of fresh) rows.set(row.step, { ...rows.get(row.step), ...row });
  return [...rows.values()].sort((a, b) => a.step - b.step);
}
