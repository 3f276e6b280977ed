// The game as a curve: who was better when, and which moves threw something away.
import { useState } from 'preact/hooks';
import { sideClass } from '../board/dress';
import { fitting, judged, startJudging, stopJudging, wholeLine } from '../state/graph';
import { SIGNS, lossText, summary } from '../state/judge';
import { capital, goTo, kind, line, table, view } from '../state/session';
import * as t from '../state/tree';
import { Button, Card, Nothing, Select } from '../ui/controls';
import { useWidth } from '../ui/width';

const HEIGHT = 88;

export function GraphPanel() {
  const [time, setTime] = useState('300');
  const g = fitting.value;
  const count = wholeLine.value.moves.length;
  return (
    <Card class="graph" title="Course of the game" tools={
      <>
        <Select hideLabel label="Time for each position" value={time} onChange={setTime}
          options={[['100', '0.1 s a move'], ['300', '0.3 s a move'], ['1000', '1 s a move'], ['3000', '3 s a move']].map(([value, label]) => ({ value: value ?? '', label: label ?? '' }))} />
        {g?.running
          ? <Button icon="stop" label={`Stop (${g.plies.size} of ${g.moves.length + 1})`} onClick={stopJudging} />
          : <Button icon="chart" label="Judge" disabled={count === 0} onClick={() => void startJudging(Number(time))} />}
      </>
    }>
      {g ? <Curve /> : <p class="curve curve-none quiet">{count ? 'Judge the game to see its course and the mistakes.' : 'There is no game to judge yet.'}</p>}
      {g && g.plies.size > 1 && <Summary />}
    </Card>
  );
}

function Curve() {
  const [element, width] = useWidth<HTMLDivElement>(380);
  const g = fitting.value;
  const v = view.value;
  const total = Math.max(1, wholeLine.value.moves.length, g?.moves.length ?? 0);
  const x = (ply: number): number => (ply / total) * width;
  const y = (chance: number): number => HEIGHT - chance * HEIGHT;
  const points = g ? [...g.plies.values()].sort((a, b) => a.ply - b.ply) : [];
  const go = (ply: number): void => {
    const through = t.lineThrough(table.value.tree, table.value.at);
    goTo(ply === 0 ? t.ROOT : (through[ply - 1] ?? through.at(-1) ?? t.ROOT));
  };
  const textAt = (ply: number): string => {
    const id = t.lineThrough(table.value.tree, table.value.at)[ply - 1];
    return id === undefined ? '' : t.node(table.value.tree, id).text;
  };
  const top = points.map((p) => `${x(p.ply).toFixed(1)} ${y(p.value.chance).toFixed(1)}`);
  const here = line.value.moves.length;
  const firstIsDark = v && sideClass(kind.value, v.sides, 0) === 'side-black';
  return (
    <div class={`curve${firstIsDark ? ' dark-below' : ''}`} ref={element}>
      <svg width={width} height={HEIGHT} role="img" aria-label="Chances of the first side over the game"
        onClick={(e) => go(Math.round(((e.clientX - e.currentTarget.getBoundingClientRect().left) / width) * total))}>
        <rect class="curve-back" width={width} height={HEIGHT} />
        {points.length > 1 && <path class="curve-area" d={`M${x(points[0]?.ply ?? 0)} ${HEIGHT}L${top.join('L')}L${x(points.at(-1)?.ply ?? 0)} ${HEIGHT}Z`} />}
        {points.length > 1 && <path class="curve-line" d={`M${top.join('L')}`} />}
        <line class="curve-middle" x1={0} x2={width} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        <line class="curve-here" x1={x(here)} x2={x(here)} y1={0} y2={HEIGHT} />
      </svg>
      {judged.value.filter((j) => j.verdict && j.verdict !== 'inaccuracy').map((j) => {
        const value = g?.plies.get(j.ply)?.value.chance ?? 0.5;
        return (
          <button type="button" key={j.ply} class={`curve-mark ${j.verdict}`} style={{ left: `${x(j.ply)}px`, top: `${y(value)}px` }}
            title={`${textAt(j.ply)}${j.verdict ? SIGNS[j.verdict] : ''}, ${lossText(j.loss, j.unit)} lost${j.best ? `, better ${j.best}` : ''}`}
            aria-label={`${j.verdict} at move ${j.ply}`} onClick={() => go(j.ply)} />
        );
      })}
    </div>
  );
}

function Summary() {
  const v = view.value;
  if (!v) return <Nothing>…</Nothing>;
  return (
    <div class="summary">
      {([0, 1] as const).map((side) => {
        const { counts, mean, unit } = summary(judged.value, side);
        return (
          <p key={side}>
            <span class={`chip ${sideClass(kind.value, v.sides, side)}`} aria-hidden="true" /> <span class="unseen">{capital(v.sides[side])}</span>
            <b class="blunder">{counts.blunder}</b> {counts.blunder === 1 ? 'blunder' : 'blunders'} <b class="mistake">{counts.mistake}</b> {counts.mistake === 1 ? 'mistake' : 'mistakes'} <b class="inaccuracy">{counts.inaccuracy}</b> {counts.inaccuracy === 1 ? 'inaccuracy' : 'inaccuracies'}
            <span class="quiet" title={`${unit === 'discs' ? 'discs' : 'chances'} lost with each move, on average`}> · {lossText(mean, unit)} a move</span>
          </p>
        );
      })}
    </div>
  );
}
