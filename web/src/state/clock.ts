// A game clock for two. It holds times, not a timer: whoever shows it asks what is left now.
import type { Side } from '../api/types';

export interface Clock {
  /** What each side had when the running one was started. */
  left: [number, number];
  increment: number;
  running: Side | null;
  since: number;
}

export function newClock(minutes: number, incrementSeconds: number): Clock {
  const ms = minutes * 60_000;
  return { left: [ms, ms], increment: incrementSeconds * 1000, running: null, since: 0 };
}

export function remaining(clock: Clock, side: Side, now: number): number {
  const spent = clock.running === side ? now - clock.since : 0;
  return Math.max(0, clock.left[side] - spent);
}

/** Starts the clock of `side`, and stops the other, which gets its increment if it was running. */
export function press(clock: Clock, side: Side, now: number): Clock {
  if (clock.running === side) return clock;
  const stopped = pause(clock, now);
  if (clock.running !== null) stopped.left[clock.running] += clock.increment;
  return { ...stopped, running: side, since: now };
}

export function pause(clock: Clock, now: number): Clock {
  return { ...clock, left: [remaining(clock, 0, now), remaining(clock, 1, now)], running: null, since: now };
}

export function showTime(ms: number): string {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number): string => String(n).padStart(2, '0');
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
