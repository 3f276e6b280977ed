// Playing: choose the game and who plays, then play.
import { api } from '../api/client';
import { FileButtons } from '../panels/files';
import { GamePicker } from '../panels/gamepicker';
import { MoveList } from '../panels/movelist';
import { sideClass } from '../board/dress';
import { open } from '../state/navigation';
import { advance, atTip, levelOf, match, over, personToMove, playOn, resign, type Seat, setup, start, takeBack, thinking, togglePause, writtenPlayer } from '../state/play';
import { hint, hinting } from '../state/preview';
import { capital, details, goTo, keepTable, kind, newTable, outcomeText, table, view } from '../state/session';
import * as t from '../state/tree';
import { Button, Card, Segments, Select } from '../ui/controls';

export function PlayPanel() {
  return match.value ? <Running /> : <Setup />;
}

const CLOCKS = ['none', '1+0', '3+2', '5+3', '10+5', '30+20'];

function Setup() {
  const { seats, clock } = setup.value;
  const d = details.value;
  const spec = table.value.spec;
  const sides = d?.sides ?? ['first', 'second'];
  const setSeat = (side: 0 | 1, seat: Seat): void => {
    setup.value = { ...setup.value, seats: side === 0 ? [seat, seats[1]] : [seats[0], seat] };
  };
  const used = t.mainFrom(table.value.tree, t.ROOT).length > 0 || table.value.start !== null;
  return (
    <Card title="New game" class="setup">
      <GamePicker spec={spec} onChange={(next) => { keepTable('The game before was put away.'); newTable(next); }} />
      {([0, 1] as const).map((side) => (
        <fieldset key={side} class="seat-choice">
          <legend><span class={`chip ${sideClass(kind.value, sides as [string, string], side)}`} aria-hidden="true" /> {capital(sides[side] ?? '')}</legend>
          <Segments label={`Who plays ${sides[side]}`} value={seats[side] === null ? 'you' : 'computer'}
            options={[{ value: 'you', label: 'You' }, { value: 'computer', label: 'Computer' }]}
            onChange={(who) => setSeat(side, who === 'you' ? null : (d?.levels[levelOf('')]?.name ?? ''))} />
          {seats[side] !== null && d && <Opponent seat={seats[side]} name={sides[side] ?? ''} onChange={(seat) => setSeat(side, seat)} />}
        </fieldset>
      ))}
      <Select label="Clock" value={clock ? `${clock.minutes}+${clock.increment}` : 'none'}
        options={CLOCKS.map((c) => ({ value: c, label: c === 'none' ? 'No clock' : `${c.split('+')[0]} min + ${c.split('+')[1]} s a move` }))}
        onChange={(c) => {
          const [minutes = 0, increment = 0] = c.split('+').map(Number);
          setup.value = { ...setup.value, clock: c === 'none' ? null : { minutes, increment } };
        }} />
      <div class="row wrap">
        <Button kind="main" icon="play" label="Start" disabled={!d} onClick={() => { start({ ...setup.value, spec }); window.scrollTo({ top: 0 }); }} />
        {used && <Button label="Go on from this position" onClick={() => playOn()} />}
        <span class="grow" />
        <FileButtons report={false} />
      </div>
    </Card>
  );
}

const LEVELS = 'levels';

/** By level, or any player of the game with its options. */
function Opponent({ seat, name, onChange }: { seat: string; name: string; onChange(seat: string): void }) {
  const d = details.value;
  const written = writtenPlayer(seat);
  const chosen = d?.players.find((p) => p.name === written?.split(':')[0]);
  return (
    <>
      {written === null
        ? <LevelSlider seat={seat} name={name} onChange={onChange} />
        : (
          <label class="field">
            <span class="unseen">Player of {name}, with options</span>
            <input value={written} spellcheck={false} autocomplete="off" onChange={(e) => onChange(`=${e.currentTarget.value.trim()}`)} />
            <span class="quiet player-help">{chosen?.help ?? 'a name and options, such as zug:depth=5'}</span>
          </label>
        )}
      <Select hideLabel label={`Kind of player of ${name}`} value={written === null ? LEVELS : (chosen?.name ?? '')}
        onChange={(kind) => onChange(kind === LEVELS ? '' : `=${kind}`)}
        options={[{ value: LEVELS, label: 'by level' }, ...(d?.players ?? []).map((p) => ({ value: p.name, label: `player ${p.name}` }))]} />
    </>
  );
}

/** A game without a database is solved when it is first asked for; better before somebody waits for a move. */
function warmUp(): void {
  api.explore({ game: table.value.spec, start: null, moves: [] }, 'database', {}, 0).catch(() => undefined);
}

function LevelSlider({ seat, name, onChange }: { seat: Seat; name: string; onChange(seat: string): void }) {
  const levels = details.value?.levels ?? [];
  const index = levelOf(seat);
  const level = levels[index];
  if (!level) return <p class="quiet">This game has one level.</p>;
  return (
    <div class="level">
      <label>
        <span class="unseen">Level of {name}</span>
        <input type="range" min={0} max={levels.length - 1} step={1} value={index} aria-valuetext={level.label}
          onInput={(e) => {
            const next = levels[Number(e.currentTarget.value)] ?? level;
            if (next.player.startsWith('perfect')) warmUp();
            onChange(next.name);
          }} />
      </label>
      <p><strong>{level.label}</strong> <span class="quiet">{level.about}</span></p>
    </div>
  );
}

function Running() {
  const m = match.value;
  const v = view.value;
  if (!m || !v) return null;
  const computers = m.seats.filter((s) => s !== null).length;
  return (
    <>
      <Card class="status-card">
        <Banner />
        <div class="row wrap">
          <Button icon="undo" label="Take back" hotkey="u" disabled={m.tip === t.ROOT || computers === 2} onClick={takeBack} />
          <Button icon="hint" label={hinting.value ? 'Looking …' : 'Hint'} hotkey="h" disabled={!personToMove.value || hinting.value} onClick={() => void hint()} />
          {(computers === 2 || m.paused) && !over.value && <Button icon={m.paused ? 'play' : 'pause'} label={m.paused ? 'Go on' : 'Pause'} onClick={togglePause} />}
          {computers < 2 && <Button icon="flag" label="Resign" disabled={!!over.value} onClick={resign} />}
          <Button icon="plus" label="New game" hotkey="n" kind={over.value ? 'main' : 'plain'} onClick={newGame} />
        </div>
      </Card>
      <Card title="Moves" class="moves-card" tools={<Button icon="chart" label="Analyse" onClick={() => open('analyse')} />}>
        <MoveList variations={false} />
        <FileButtons report={false} />
      </Card>
    </>
  );
}

export function newGame(): void {
  if (!match.value) keepTable('The game before was put away.');
  match.value = null;
  newTable(table.value.spec);
  open('play');
}

function Banner() {
  const [m, v, end] = [match.value, view.value, over.value];
  if (!m || !v) return null;
  if (end) {
    const text = m.ended ? `${capital(v.sides[m.ended.winner])} wins` : outcomeText(v).split(', ')[0];
    const person = m.seats.indexOf(null);
    const alone = m.seats.filter((s) => s === null).length === 1;
    const mood = !alone || end.winner === null ? '' : end.winner === person ? ' good' : ' bad';
    return <p class={`banner end${mood}`} role="status"><strong>{text}</strong> <span>{end.reason}</span></p>;
  }
  if (!atTip.value) return <p class="banner"><span>You are looking back.</span> <Button label="To the game" onClick={() => goTo(m.tip)} /></p>;
  const [only, ...others] = v.legal ?? [];
  if (personToMove.value && only && !others.length && !only.cells.length) {
    return <p class="banner" role="status"><strong>You have no move but “{only.text}”.</strong> <Button kind="main" label={capital(only.text)} onClick={() => advance(only.move, only.text)} /></p>;
  }
  const turn = m.seats[v.to_move] === null ? (m.seats[v.to_move === 0 ? 1 : 0] === null ? `${capital(v.sides[v.to_move])} to move` : 'Your turn') : m.paused ? 'Paused' : 'The computer is thinking';
  return <p class="banner" role="status"><strong>{turn}</strong>{thinking.value && <span class="thinking" aria-hidden="true"><i /><i /><i /></span>}</p>;
}
