// A game against the computer: who has which side, whose turn it is, the clock, and how it ended.
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { api, online } from '../api/client';
import type { Limits, Side } from '../api/types';
import { type Clock, newClock, pause, press, remaining } from './clock';
import { complain, tell } from './messages';
import { page } from './navigation';
import { capital, details, ending, goTo, known, learnView, line, newTable, settled, table, view } from './session';
import { flipped, stored } from './settings';
import * as t from './tree';

/** A level's name, `=` and a player as it is written, or null for a person. */
export type Seat = string | null;

/** The player that a seat writes out, if it does. */
export const writtenPlayer = (seat: Seat): string | null => (seat?.startsWith('=') ? seat.slice(1) : null);

export interface Setup {
  spec: string;
  seats: [Seat, Seat];
  clock: { minutes: number; increment: number } | null;
}

interface Match {
  seats: [Seat, Seat];
  /** Where the game stands; the board may show something else. */
  tip: number;
  clock: Clock | null;
  /** Ended by a person or the clock, not by the rules. */
  ended: { winner: Side; reason: string } | null;
  /** Both are computers and somebody has pressed pause. */
  paused: boolean;
  /** Nodes of this number and above came with the match; taking back leaves the others alone. */
  born?: number;
}

const isSeat = (v: unknown): v is Seat => v === null || typeof v === 'string';
const isSeats = (v: unknown): v is [Seat, Seat] => Array.isArray(v) && v.length === 2 && v.every(isSeat);

function isMatch(value: unknown): value is Match | null {
  const match = value as Match | null;
  return match === null || (typeof match === 'object' && isSeats(match.seats) && Number.isInteger(match.tip) && match.tip >= 0);
}

function isSetup(value: unknown): value is Setup {
  const setup = value as Setup | null;
  return !!setup && typeof setup.spec === 'string' && isSeats(setup.seats);
}

export const setup = stored<Setup>('setup', { spec: 'othello', seats: [null, ''], clock: null }, isSetup);
export const match = stored<Match | null>('match', null, isMatch, true);
export const thinking = signal(false);
export const now = signal(Date.now());

/** A level by its name, the middle one if the game has no such level. */
export function levelOf(seat: Seat): number {
  const levels = details.value?.levels ?? [];
  const found = levels.findIndex((l) => l.name === seat);
  return found >= 0 ? found : Math.floor((levels.length - 1) / 2);
}

/** Is the board at the place where the game stands? */
export const atTip = computed(() => match.value !== null && table.value.at === match.value.tip);

/** How the game has ended, in words; empty while it goes on. */
export const over = computed(() => {
  const m = match.value;
  if (!m) return null;
  if (m.ended) return m.ended;
  const end = ending.value;
  return atTip.value && end ? { winner: end.winner, reason: end.reason } : null;
});

/** May a person move now? Before a match a first move starts it. */
export const personToMove = computed(() => {
  const [m, v] = [match.value, view.value];
  if (!m && v && settled.value) return !v.outcome && setup.value.seats[v.to_move] === null;
  return !!m && !!v && settled.value && atTip.value && !over.value && m.seats[v.to_move] === null;
});

let asking: AbortController | null = null;

export function start(chosen: Setup, position: string | null = null): void {
  asking?.abort();
  batch(() => {
    setup.value = chosen;
    newTable(chosen.spec, position, t.emptyTree(), t.ROOT, names(chosen.seats));
    match.value = {
      seats: chosen.seats, tip: t.ROOT, ended: null, paused: false, born: 1,
      clock: chosen.clock ? newClock(chosen.clock.minutes, chosen.clock.increment) : null,
    };
    // Only chess is looked at from one's own side.
    flipped.value = details.value?.kind === 'chess' && chosen.seats[0] !== null && chosen.seats[1] === null;
  });
}

/** Goes on from the position on the board, with the seats that were chosen last. */
export function playOn(seats: [Seat, Seat] = setup.value.seats): void {
  asking?.abort();
  const { clock } = setup.value;
  batch(() => {
    // A game that somebody else began keeps its names.
    if (t.node(table.value.tree, t.ROOT).children.length === 0) table.value = { ...table.value, tags: { ...names(seats), ...table.value.tags } };
    match.value = {
      seats, tip: table.value.at, ended: null, paused: false, born: table.value.tree.nodes.length, clock: clock ? newClock(clock.minutes, clock.increment) : null,
    };
  });
}

/** Who plays, and when, for the head of the file. */
function names(seats: [Seat, Seat]): Record<string, string> {
  const sides = details.value?.sides;
  if (!sides) return {};
  const who = (seat: Seat): string => (seat === null ? 'Player' : `Zug (${writtenPlayer(seat) ?? details.value?.levels[levelOf(seat)]?.label ?? 'computer'})`);
  const day = new Date();
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((n) => String(n).padStart(2, '0')).join(details.value?.kind === 'chess' ? '.' : '-');
  return { [capital(sides[0])]: who(seats[0]), [capital(sides[1])]: who(seats[1]), Date: date };
}

/** Plays a move of whoever's turn it is, at the tip. */
export function advance(move: string, text: string): void {
  if (!match.value) playOn();
  const m = match.value;
  if (!m || over.value) return;
  batch(() => {
    const { tree, id } = t.play(table.value.tree, m.tip, move, text);
    // The game itself is the main line; what was tried before stays as a variation.
    table.value = { ...table.value, tree: t.promote(tree, id), at: id };
    match.value = { ...m, tip: id };
  });
}

export function takeBack(): void {
  const m = match.value;
  if (!m || m.tip === t.ROOT) return;
  asking?.abort();
  const { tree } = table.value;
  const path = [t.ROOT, ...t.path(tree, m.tip)];
  const alone = m.seats.filter((s) => s === null).length === 1;
  // Back to where the person is to move. Sides need not alternate (passes), so the positions themselves must say.
  let back = path.length - 2;
  while (alone && back > 0 && m.seats[moverAt(path, back)] !== null) back -= 1;
  const gone = path.slice(back + 1).find((id) => id >= (m.born ?? 0));
  const tip = path[back] ?? t.ROOT;
  batch(() => {
    const { result: _, ...rest } = table.value;
    table.value = { ...rest, tree: gone === undefined ? tree : t.remove(tree, gone), at: tip };
    match.value = { ...m, tip, ended: null };
  });
}

/** Whose turn it was after so many moves of a path; every position of a match was seen. */
function moverAt(path: number[], ply: number): Side {
  const { spec, start, tree } = table.value;
  const seen = known({ game: spec, start, moves: path.slice(1, ply + 1).map((id) => t.node(tree, id).move) });
  return seen?.to_move ?? ((ply % 2) as Side);
}

/** Ends the match by something that is not in the moves. */
function end(m: Match, winner: Side, reason: string): void {
  batch(() => {
    match.value = { ...m, ended: { winner, reason }, clock: m.clock && pause(m.clock, Date.now()) };
    table.value = { ...table.value, result: String(winner) };
  });
}

export function resign(): void {
  const [m, v] = [match.value, view.value];
  if (!m || !v || over.value) return;
  asking?.abort();
  const person: Side = m.seats[v.to_move] === null ? v.to_move : m.seats[0] === null ? 0 : 1;
  end(m, person === 0 ? 1 : 0, `${v.sides[person]} resigned`);
}

export function togglePause(): void {
  if (!match.value) return;
  asking?.abort();
  const { clock } = match.value;
  match.value = { ...match.value, paused: !match.value.paused, clock: clock && pause(clock, Date.now()) };
}

/** Starts the machinery; called once. */
export function followPlay(): void {
  // A tree that was replaced (a file was loaded, a link opened) ends the match.
  effect(() => {
    const m = match.value;
    if (m && !t.exists(table.value.tree, m.tip)) match.value = null;
  });
  effect(() => {
    if (page.value === 'play' && match.value) untracked(() => { if (match.value) goTo(match.value.tip); });
  });
  effect(() => {
    const [m, v] = [match.value, view.value];
    const ready = m && v && page.value === 'play' && atTip.value && !over.value && !m.paused && online.value &&
      details.value?.spec === table.value.spec && settled.value && v.legal;
    if (!ready) return;
    const seat = m.seats[v.to_move];
    untracked(() => {
      run(v.to_move);
      if (seat !== null) void answer(seat ?? '');
    });
  });
  window.setInterval(() => {
    if (!match.value?.clock) return;
    now.value = Date.now();
    checkFlag();
  }, 100);
}

function run(side: Side): void {
  const m = match.value;
  if (m?.clock && m.clock.running !== side) match.value = { ...m, clock: press(m.clock, side, Date.now()) };
}

function checkFlag(): void {
  const [m, v] = [match.value, view.value];
  if (!m?.clock || !v || m.clock.running === null || over.value) {
    if (m?.clock && m.clock.running !== null && over.value) match.value = { ...m, clock: pause(m.clock, Date.now()) };
    return;
  }
  const side = m.clock.running;
  if (remaining(m.clock, side, Date.now()) > 0) return;
  asking?.abort();
  end(m, side === 0 ? 1 : 0, `${v.sides[side]} ran out of time`);
}

let answering: string | null = null;

async function answer(seat: string): Promise<void> {
  const asked = line.value;
  const key = `${asked.game} ${asked.start} ${asked.moves.join(' ')}`;
  // The effect runs again whenever the clock ticks over; one question at a time is enough. One that was
  // given up (pause) but has not ended yet will not be answered.
  if (answering === key && thinking.value && !asking?.signal.aborted) return;
  asking?.abort();
  const control = (asking = new AbortController());
  answering = key;
  thinking.value = true;
  const written = writtenPlayer(seat);
  const level = details.value?.levels[levelOf(seat)];
  const player = written !== null ? { player: written } : level ? { level: level.name } : {};
  const m = match.value;
  const limits: Limits | undefined = m?.clock
    ? { clock: {
        remaining_ms: [Math.round(remaining(m.clock, 0, Date.now())), Math.round(remaining(m.clock, 1, Date.now()))],
        increment_ms: [m.clock.increment, m.clock.increment],
      } }
    : undefined;
  try {
    const shown = performance.now();
    const reply = await api.move({ line: asked, ...player, ...(limits ? { limits } : {}) }, control.signal);
    // An answer that comes at once would hide what the person has just played.
    await new Promise((resolve) => window.setTimeout(resolve, Math.max(0, 350 - (performance.now() - shown))));
    if (control.signal.aborted || match.value !== null && match.value.tip !== table.value.at && page.value !== 'play') return;
    thinking.value = false;
    if (reply.resigns) {
      const mover = view.value?.to_move ?? 0;
      const name = capital(view.value?.sides[mover] ?? '');
      if (match.value) end(match.value, mover === 0 ? 1 : 0, `${name} resigned`);
      return;
    }
    learnView({ ...asked, moves: [...asked.moves, reply.move] }, reply.view);
    advance(reply.move, reply.view.texts.at(-1) ?? reply.move);
  } catch (error) {
    if (control.signal.aborted) return;
    complain(error);
    if (match.value && online.value) {
      match.value = { ...match.value, paused: true };
      tell('The computer could not move. Press “Go on” to try again.', 'error');
    }
  } finally {
    if (asking === control) { thinking.value = false; answering = null; }
  }
}
