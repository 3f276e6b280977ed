// The board with what belongs to it: who plays, the bar of chances, and the buttons to go through the game.
import { computed } from '@preact/signals';
import type { LegalMove, Side } from '../api/types';
import { Board } from '../board/board';
import { sideClass } from '../board/dress';
import { remaining, showTime } from '../state/clock';
import { open, page } from '../state/navigation';
import { advance, levelOf, match, now, over, personToMove, thinking } from '../state/play';
import { arrows, chance, ghosts, heat, values } from '../state/preview';
import { capital, counted, details, ending, kind, line, playMove, settled, step, table, toEnd, toStart, view } from '../state/session';
import { drawings, numbers, stroke, tool } from '../state/sketch';
import { coordinates, flipped, hints, liveOn } from '../state/settings';
import * as t from '../state/tree';
import { Button } from '../ui/controls';
import { draft, drafted, shape } from './setup';

/** A move of the person: into the match, or into the tree. */
export function move({ move, text }: LegalMove): void {
  if (page.value === 'play') advance(move, text);
  else playMove(move, text);
}

/** What is taken off before the board is counted. */
const dead = computed<ReadonlySet<number> | undefined>(() =>
  (ending.value && counted.value?.outcome === ending.value ? new Set(counted.value.dead) : undefined));

export function BoardArea() {
  const v = view.value;
  const ready = v && details.value && details.value.spec === table.value.spec;
  const [top, bottom]: [Side, Side] = flipped.value ? [0, 1] : [1, 0];
  const aspect = v ? v.picture.width / v.picture.height : 1;
  const active = page.value === 'play' ? personToMove.value : settled.value && !v?.outcome;
  const bar = page.value === 'analyse';
  return (
    <div class="board-area" style={{ '--aspect': String(aspect) }}>
      <Seat side={top} />
      <div class="board-row">
        {bar && <ChanceBar />}
        {ready
          ? draft.value
            ? <Board view={drafted(v)} kind={kind.value} flipped={flipped.value} active={false} coordinates={coordinates.value} hints={false} onMove={() => undefined}
                onStroke={(from, to, { right }) => shape(from, to, right)} drawing />
            : <Board view={v} kind={kind.value} flipped={flipped.value} active={active} coordinates={coordinates.value} hints={hints.value}
              onMove={move} values={values.value} heat={heat.value} arrows={arrows.value} ghosts={ghosts.value} dead={dead.value} numbers={numbers.value}
              drawings={drawings.value} onStroke={page.value === 'analyse' ? stroke : undefined} drawing={page.value === 'analyse' && tool.value !== null} />
          : <div class="board board-empty" style={{ aspectRatio: String(aspect) }} aria-busy="true" />}
      </div>
      <Seat side={bottom} />
      {!draft.value && <Steps />}
    </div>
  );
}

function Seat({ side }: { side: Side }) {
  const [v, d, m] = [view.value, details.value, page.value === 'play' ? match.value : null];
  if (!v) return <div class="seat" />;
  const turn = !v.outcome && v.to_move === side && !(m && over.value);
  const seat = m?.seats[side];
  const who = !m ? table.value.tags[side === 0 ? firstTag(v.sides) : firstTag([v.sides[1], v.sides[0]])] : seat === null ? 'you' : (d?.levels[levelOf(seat ?? '')]?.label ?? 'computer');
  return (
    <div class={`seat${turn ? ' turn' : ''}`}>
      <span class={`chip ${sideClass(kind.value, v.sides, side)}`} aria-hidden="true" />
      <strong>{capital(v.sides[side])}</strong>
      {who && <span class="quiet">{who}</span>}
      {m && thinking.value && turn && <span class="thinking" role="status"><i /><i /><i /><span class="unseen">thinking</span></span>}
      <span class="grow" />
      {side === (flipped.value ? 1 : 0) && v.picture.notes.length > 0 && <span class="quiet notes">{v.picture.notes.join(' · ')}</span>}
      {m?.clock && <time class={`clock${remaining(m.clock, side, now.value) < 20_000 ? ' low' : ''}`}>{showTime(remaining(m.clock, side, now.value))}</time>}
    </div>
  );
}

/** Records name players by the colour of their side. */
const firstTag = (sides: [string, string]): string => capital(sides[0]);

function ChanceBar() {
  const c = chance.value;
  const shown = c ?? 0.5;
  const v = view.value;
  const part = flipped.value ? 1 - shown : shown;
  const [low, high] = v ? [sideClass(kind.value, v.sides, flipped.value ? 1 : 0), sideClass(kind.value, v.sides, flipped.value ? 0 : 1)] : ['', ''];
  return (
    <div class={`chance ${high}${c === null ? ' unknown' : ''}`} role="img"
      aria-label={c === null ? 'no evaluation yet' : `${v?.sides[0]} wins with ${Math.round(shown * 100)} percent`} title={c === null ? 'Press a to analyse' : `${capital(v?.sides[0] ?? '')} ${Math.round(shown * 100)} %`}>
      <div class={`chance-fill ${low}`} style={{ transform: `scaleY(${part})` }} />
    </div>
  );
}

function Steps() {
  const { tree, at } = table.value;
  const atStart = at === t.ROOT;
  const atEnd = t.node(tree, at).children.length === 0;
  const passes = (view.value?.legal ?? []).filter((m) => m.cells.length === 0);
  const may = page.value === 'play' ? personToMove.value : settled.value && !view.value?.outcome;
  return (
    <div class="steps">
      <Button bare icon="first" label="To the start" hotkey="Home" onClick={toStart} disabled={atStart} />
      <Button bare icon="back" label="Back" hotkey="←" onClick={() => step(-1)} disabled={atStart} />
      <Button bare icon="next" label="Forward" hotkey="→" onClick={() => step(1)} disabled={atEnd} />
      <Button bare icon="last" label="To the end" hotkey="End" onClick={toEnd} disabled={atEnd} />
      <span class="grow" />
      {may && passes.map((m) => <Button key={m.move} label={capital(m.text)} onClick={() => move(m)} />)}
      <span class="quiet ply">{line.value.moves.length ? `${kind.value === 'chess' ? 'ply' : 'move'} ${line.value.moves.length}` : 'start'}</span>
      {page.value !== 'play' && <Button bare icon="chart" label="Live analysis" hotkey="a" pressed={liveOn.value && page.value === 'analyse'} onClick={toggleLive} />}
      <Button bare icon="flip" label="Flip the board" hotkey="f" onClick={() => { flipped.value = !flipped.value; }} />
    </div>
  );
}

export function toggleLive(): void {
  if (page.value !== 'analyse') { open('analyse'); liveOn.value = true; } else liveOn.value = !liveOn.value;
}
