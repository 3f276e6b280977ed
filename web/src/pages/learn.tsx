// Learning: the runs, their curves and weights as they grow, and two runs side by side.
import { signal, useSignalEffect } from '@preact/signals';
import { api, online, visits } from '../api/client';
import type { RunDetails, RunSummary } from '../api/types';
import { complain } from '../state/messages';
import { mirror, page, route } from '../state/navigation';
import { WeightsPanel } from '../panels/weights';
import { charts, isRunning, merge } from '../state/runs';
import { Card, Nothing, Select } from '../ui/controls';
import { Icon } from '../ui/icons';
import { LineChart } from '../ui/linechart';
import { brief } from '../ui/scale';

const runs = signal<RunSummary[] | null>(null);
const chosen = signal<string | null>(route.value.run);
const versus = signal<string | null>(route.value.versus);
const open = signal<ReadonlyMap<string, RunDetails>>(new Map());

function put(run: RunDetails): void {
  open.value = new Map(open.value).set(run.name, run);
}

/** Loads a run and follows it while it is looked at. */
function follow(name: string | null): (() => void) | undefined {
  if (!name) return undefined;
  const control = new AbortController();
  api.run(name).then(async (run) => {
    if (control.signal.aborted) return;
    put(run);
    if (!isRunning(run.state)) return;
    await api.runLive(name, control.signal, ({ rows, state, plots, note }) => {
      const have = open.peek().get(name);
      if (!have) return;
      put({ ...have, state: state ?? have.state, metrics: merge(have.metrics, rows), ...(plots ? { plots, note: note ?? null } : {}) });
    });
  }).catch((error: unknown) => { if (!control.signal.aborted) complain(error); });
  return () => control.abort();
}

export function LearnPage() {
  useSignalEffect(() => {
    void visits.value;
    if (!online.value) return;
    const load = (): void => { api.runs().then((answer) => { runs.value = answer.runs; }, complain); };
    load();
    const timer = window.setInterval(load, 5000);
    return () => window.clearInterval(timer);
  });
  // An address that somebody has typed or followed names the runs.
  useSignalEffect(() => {
    const { page: wanted, run, versus: other } = route.value;
    if (wanted === 'learn' && run) { chosen.value = run; versus.value = other; }
  });
  useSignalEffect(() => follow(chosen.value));
  useSignalEffect(() => follow(versus.value));
  useSignalEffect(() => {
    const [run, other] = [chosen.value, versus.value];
    if (page.peek() === 'learn') mirror({ page: 'learn', run, versus: other });
  });
  useSignalEffect(() => {
    if (!chosen.value) chosen.value = runs.value?.find((r) => r.name)?.name ?? null;
  });
  return (
    <div class="learn">
      <h1 class="unseen">Learn</h1>
      <Card title="Runs" class="runs">
        {runs.value?.length === 0 && <Nothing>No runs yet. <code>zug learn</code> starts one.</Nothing>}
        <ul class="choice">
          {runs.value?.map((run, i) => !run.name ? <li key={i} class="problem">{run.message}</li> : (
            <li key={run.name}>
              <button type="button" aria-current={run.name === chosen.value ? 'true' : undefined} onClick={() => { chosen.value = run.name; if (versus.value === run.name) versus.value = null; }}>
                <span class={`state state-${stateTone(run.state)}`} aria-hidden="true" />
                <span><strong>{run.name}</strong><br /><span class="quiet">{run.game} · {run.task} · step {brief(run.step)}</span></span>
                <span class="quiet">{run.state}</span>
              </button>
            </li>
          ))}
        </ul>
      </Card>
      <div class="run">{chosen.value ? <Run name={chosen.value} /> : runs.value && <Nothing>Choose a run to see its curves.</Nothing>}</div>
    </div>
  );
}

function stateTone(state: string): string {
  if (isRunning(state)) return 'on';
  return /fail|error|broken/i.test(state) ? 'bad' : 'done';
}

function Run({ name }: { name: string }) {
  const run = open.value.get(name);
  const other = versus.value ? open.value.get(versus.value) : undefined;
  const summary = runs.value?.find((r) => r.name === name);
  if (!run && runs.value && !summary) return <Nothing>There is no run called “{name}” here.</Nothing>;
  const found = run ? charts(run.plots, name, other) : [];
  const reports = [
    { label: 'Report', icon: 'report', href: api.runReport(name, other?.name ?? null, false), keep: false },
    { label: 'Keep as a file', icon: 'save', href: api.runReport(name, other?.name ?? null, true), keep: true },
  ] as const;
  return (
    <>
      <Card title={other ? `${name} and ${other.name}` : name} tools={
        <>
          <Select hideLabel label="Compare with" value={versus.value ?? ''} onChange={(v) => { versus.value = v || null; }}
            options={[{ value: '', label: 'compare with …' }, ...(runs.value ?? []).flatMap((r) => (r.name && r.name !== name ? [{ value: r.name, label: r.name }] : []))]} />
          {run && reports.map(({ label, icon, href, keep }) => (
            <a key={label} class="button plain" href={href} download={keep} target={keep ? undefined : '_blank'} rel="noopener"><Icon name={icon} /><span>{label}</span></a>
          ))}
        </>
      }>
        {summary?.message && <p>{summary.message}</p>}
        {run && <Config run={run} other={other} />}
      </Card>
      {[run, other].map((r) => r?.note && r.plots.length === 0 && <Nothing key={r.name}>{other && `${r.name}: `}{r.note}</Nothing>)}
      <div class="charts">
        {found.map(({ section, plot, series }, i) => (
          <Card key={i}>
            {section !== plot.title && <p class="section quiet">{section}</p>}
            <LineChart title={plot.title} x={plot.x} y={plot.y} xRange={plot.x_range} yRange={plot.y_range} categories={plot.categories} caption={plot.caption} series={series} />
          </Card>
        ))}
      </div>
      {run && <WeightsPanel name={name} live={isRunning(run.state)} other={other?.name ?? null} otherLive={!!other && isRunning(other.state)} />}
    </>
  );
}

/** Groups of settings as "group.name", one level deep. */
function spread(config: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).flatMap(([key, v]) =>
    typeof v === 'object' && v !== null && !Array.isArray(v) ? Object.entries(v).map(([k, w]) => [`${key}.${k}`, w as unknown]) : [[key, v]]));
}

/** The settings of a run; with two runs, those that differ stand out. */
function Config({ run, other }: { run: RunDetails; other?: RunDetails }) {
  const [own, theirs] = [spread(run.config), spread(other?.config ?? {})];
  const keys = [...new Set([...Object.keys(own), ...Object.keys(theirs)])];
  if (!keys.length) return null;
  const show = (v: unknown): string => (v === undefined ? '–' : typeof v === 'string' ? v : typeof v === 'number' ? String(Number(v.toPrecision(8)))
    : Array.isArray(v) ? v.map(show).join(', ') : JSON.stringify(v));
  return (
    <details class="config" open={!!other}>
      <summary>Settings</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label="Settings">
        <table>
          {other && <thead><tr><th>Setting</th><th>{run.name}</th><th>{other.name}</th></tr></thead>}
          <tbody>
            {keys.map((key) => {
              const [a, b] = [show(own[key]), show(theirs[key])];
              return <tr key={key} class={other && a !== b ? 'differs' : ''}><th scope="row">{key}</th><td>{a}</td>{other && <td>{b}</td>}</tr>;
            })}
          </tbody>
        </table>
      </div>
    </details>
  );
}
