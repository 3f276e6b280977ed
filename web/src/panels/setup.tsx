// Setting up a position: what to put, who is to move, and whether it can be played.
import { computed, signal } from '@preact/signals';
import { api } from '../api/client';
import type { View } from '../api/types';
import { sideClass } from '../board/dress';
import { Figure } from '../board/figures';
import { plainly } from '../state/messages';
import { page } from '../state/navigation';
import { match } from '../state/play';
import { capital, details, keepTable, kind, line, lineKey, newTable, table, view } from '../state/session';
import { carry, cleared, type Draft, draftOf, type Man, men, positionOf, put, RIGHTS } from '../state/setup';
import { Button, Card, Segments, Switch } from '../ui/controls';

const begun = signal<{ key: string; draft: Draft } | null>(null);
/** The position in the making, while there is one; another game on the table ends it. */
export const draft = computed<Draft | null>(() => (page.value === 'analyse' && begun.value?.key === lineKey(line.value) ? begun.value.draft : null));
const brush = signal<Man | null>(null);
const wrong = signal<string | null>(null);

export function beginSetup(): void {
  if (!view.value) return;
  brush.value = men(kind.value)[0] ?? null;
  change(draftOf(view.value));
}

export function endSetup(): void {
  begun.value = null;
}

function change(next: Draft): void {
  wrong.value = null;
  begun.value = { key: lineKey(line.value), draft: next };
}

/** The draft as the board shows it: no moves, no last one. */
export function drafted(v: View): View {
  const d = draft.value;
  return d ? { ...v, picture: d.picture, to_move: d.toMove, legal: [], last: [], outcome: null } : v;
}

/** A press puts what was chosen; a pull carries what stands there; the right button clears. */
export function shape(from: number, to: number, clear: boolean): void {
  const d = draft.value;
  if (d) change({ ...d, picture: from !== to ? carry(d.picture, from, to) : put(d.picture, to, clear ? null : brush.value) });
}

async function use(): Promise<void> {
  const d = draft.value;
  if (!d) return;
  const start = positionOf(kind.value, d);
  const { spec } = table.value;
  try {
    await api.view({ game: spec, start, moves: [] });
    match.value = null;
    begun.value = null;
    keepTable('The game before was put away.');
    newTable(spec, start);
  } catch (error) {
    wrong.value = plainly(error);
  }
}

export function SetupPanel() {
  const d = draft.value;
  if (!d) return null;
  const sides = view.value?.sides ?? ['first', 'second'];
  const set = (part: Partial<Draft>): void => change({ ...d, ...part });
  const start = details.value?.view;
  const all = men(kind.value);
  // One row for each side, and the rubber at the end of the first.
  const palette = [...all.filter((m) => m.owner === 0), null, ...all.filter((m) => m.owner === 1)];
  return (
    <Card title="Set up a position" class="setup-card">
      <div class="palette" role="group" aria-label="What to put">
        {palette.map((m) => (
          <button type="button" key={m?.letter ?? ''} class="man-choice" aria-pressed={brush.value?.letter === m?.letter} aria-label={m?.name ?? 'clear a field'} title={m?.name ?? 'clear a field'}
            onClick={() => { brush.value = m; }}>
            {m
              ? <svg class={`dress-${kind.value}`} viewBox="0 0 10 10" aria-hidden="true"><g class={`piece ${sideClass(kind.value, sides, m.owner)}`} transform="translate(5 5)"><Figure piece={{ key: 0, cell: 0, owner: m.owner, glyph: m.glyph, event: 'none' }} dress={kind.value === 'grid' ? 'grid' : kind.value} /></g></svg>
              : '✕'}
          </button>
        ))}
      </div>
      <p class="quiet">Click a field to put it there, pull a piece to carry it; ✕ or the right button clears.</p>
      <div class="row wrap">
        <Segments label="To move" value={d.toMove === 0 ? 'first' : 'second'} onChange={(side) => set({ toMove: side === 'first' ? 0 : 1 })}
          options={[{ value: 'first', label: `${capital(sides[0])} to move` }, { value: 'second', label: `${capital(sides[1])} to move` }]} />
        {kind.value === 'chess' && RIGHTS.map((right) => (
          <Switch key={right} label={`${right === right.toUpperCase() ? 'White' : 'Black'} ${right.toUpperCase() === 'K' ? 'O-O' : 'O-O-O'}`} on={d.castling.includes(right)}
            onChange={(on) => set({ castling: RIGHTS.filter((r) => (r === right ? on : d.castling.includes(r))).join('') })} />
        ))}
      </div>
      {wrong.value && <p class="problem" role="alert">{wrong.value}</p>}
      <div class="row wrap">
        <Button label="Clear" onClick={() => set({ picture: cleared(d.picture), castling: '' })} />
        {start && <Button label="Start" onClick={() => set(draftOf(start))} />}
        <span class="grow" />
        <Button label="Cancel" onClick={endSetup} />
        <Button kind="main" label="Use this position" onClick={() => void use()} />
      </div>
    </Card>
  );
}
