// Live analysis: the switch, the settings, and the lines as they deepen.
import { current, valueText } from '../state/live';
import { preview } from '../state/preview';
import { details, outcomeText, playMove, view } from '../state/session';
import { absolute, heatOn, liveAll, liveLines, liveOn } from '../state/settings';
import { Button, Card, Switch } from '../ui/controls';
import { brief } from '../ui/scale';

export function EnginePanel() {
  const can = details.value?.can;
  const v = view.value;
  return (
    <Card class="engine">
      <header class="card-head">
        <Switch label="Analysis" on={liveOn.value} onChange={(on) => { liveOn.value = on; }} />
        <Status />
      </header>
      <Lines />
      <div class="row wrap options">
        <span class="stepper" role="group" aria-label="Number of lines">
          <Button bare icon="minus" label="Fewer lines" disabled={liveLines.value <= 1} onClick={() => { liveLines.value -= 1; }} />
          <span>{liveLines.value} {liveLines.value === 1 ? 'line' : 'lines'}</span>
          <Button bare icon="plus" label="More lines" disabled={liveLines.value >= 9} onClick={() => { liveLines.value += 1; }} />
        </span>
        <Switch label="Every move" on={liveAll.value} onChange={(on) => { liveAll.value = on; }} />
        {can?.guess && <Switch label="Likely moves" on={heatOn.value} onChange={(on) => { heatOn.value = on; }} />}
        <Switch label={`For ${v?.sides[0] ?? 'the first side'}`} on={absolute.value} onChange={(on) => { absolute.value = on; }} />
      </div>
    </Card>
  );
}

function Status() {
  const [a, v] = [current.value, view.value];
  let text = 'Switch on to see the best moves.';
  if (v?.outcome) text = outcomeText(v);
  else if (a?.state === 'waiting') text = `Waiting for a free engine, ${a.ahead} before you.`;
  else if (a?.lines.length) {
    const speed = a.elapsed > 0 ? ` · ${brief((a.nodes / a.elapsed) * 1000)}/s` : '';
    text = a.reason === 'exact' && a.nodes === 0 ? 'exact, from a database of all positions' : `depth ${a.depth} · ${brief(a.nodes)} nodes${speed}${a.state === 'done' ? ` · ${a.reason === 'exact' ? 'exact' : a.reason === 'limit' ? 'done' : 'stopped'}` : ''}`;
  } else if (liveOn.value) text = 'Thinking …';
  return <p class="engine-status"><span class={`pulse${a?.state === 'running' && liveOn.value ? ' on' : ''}`} aria-hidden="true" />{text}</p>;
}

/** The room for the lines is there as soon as they are wanted: nothing jumps when they come. */
function Lines() {
  const [a, v] = [current.value, view.value];
  const shown = a?.lines.slice(0, liveLines.value) ?? [];
  if (!liveOn.value && !shown.length) return null;
  return (
    <ol class="lines" style={{ minHeight: `${liveLines.value * 28}px` }} onPointerLeave={() => preview([])}>
      {shown.map((info, i) => (
        <li key={i} class="line">
          <span class={`value ${tone(info.value.kind)}`}>{v ? valueText(info.value.text, v, absolute.value) : info.value.text}</span>
          <span class="line-moves">
            {info.line.slice(0, 14).map((move, j, all) => {
              const upTo = all.slice(0, j + 1);
              const text = (k: number): string => info.texts[k] ?? all[k] ?? '';
              return (
                <button type="button" key={j} class="pv" onPointerEnter={() => preview(upTo.length > 1 ? upTo : all.slice(0, 1))} onFocus={() => preview(upTo)}
                  onClick={() => { preview([]); upTo.forEach((m, k) => playMove(m, text(k))); }}>{text(j) || move}</button>
              );
            })}
          </span>
        </li>
      ))}
    </ol>
  );
}

function tone(kind: string): string {
  return kind === 'won' ? 'good' : kind === 'lost' ? 'bad' : '';
}
