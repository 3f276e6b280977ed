// Answers as they come, made into what the page works with. Some are written for programs of many
// kinds (the explorer of Go records), and some may lack a part (a player without values).
import type { ExploreAnswer, ExploreMove, GuessAnswer, Info, LinesEvent, Metrics, Plot, PlyEvent, Side, Source, Value } from './types';

type Loose<T> = { [K in keyof T]?: T[K] | null };

/** For a move about which a player says nothing. */
const UNKNOWN: Value = { text: '–', kind: 'estimate', number: 0, chance: 0.5 };

export function lines(raw: Omit<LinesEvent, 'lines'> & { lines: Loose<Info>[] }): LinesEvent {
  return {
    ...raw,
    lines: raw.lines.flatMap((info, i): Info[] => {
      const line = info.line ?? [];
      const move = info.move ?? line[0];
      if (!move) return [];
      return [{
        rank: info.rank ?? i + 1, move, value: info.value ?? UNKNOWN, depth: info.depth ?? 0, deepest: info.deepest ?? 0, nodes: info.nodes ?? 0,
        line: line.length ? line : [move], texts: info.texts?.length ? info.texts : line.length ? line : [move],
      }];
    }),
  };
}

export function ply(raw: Loose<PlyEvent>): PlyEvent | null {
  if (typeof raw.ply !== 'number' || !raw.value) return null;
  return {
    ply: raw.ply, value: raw.value, best: raw.best ?? null, best_text: raw.best_text ?? raw.best ?? null,
    line: raw.line ?? [], texts: raw.texts ?? raw.line ?? [], loss: raw.loss ?? null, unit: raw.unit ?? null, mark: raw.mark ?? null,
  };
}

export function guess(raw: { moves?: GuessAnswer['moves']; guesses?: GuessAnswer['moves']; model?: string }): GuessAnswer {
  return { moves: raw.guesses ?? raw.moves ?? [], model: raw.model ?? '' };
}

/** What the explorer of records says of a move: the mover's wins and losses. */
interface Group {
  move: string;
  kind?: string;
  times?: number;
  share?: number;
  wins?: number | [number, number, number];
  losses?: number;
  undecided?: number;
  first_year?: number | null;
  last_year?: number | null;
  rating?: number | null;
  performance?: number | null;
}

interface Game {
  black?: string;
  white?: string;
  players?: string | [string, string];
  ratings?: [number | null, number | null];
  year?: number | null;
  winner?: Side | null;
  result?: string | null;
  played?: string;
  shown?: string;
  move?: string;
  event?: string;
  number?: number;
  ply?: number | null;
}

interface Explored {
  name?: string | null;
  moves?: (Group & Omit<ExploreMove, 'wins' | 'rating' | 'performance'>)[];
  games?: Game[];
  games_searched?: number;
  games_found?: number;
  position?: unknown;
}

export function explored(raw: Explored, source: Source, mover: Side): ExploreAnswer {
  const position = raw.position as { value?: Value | null } | null | undefined;
  return {
    source,
    name: raw.name ?? null,
    moves: (raw.moves ?? []).map((m) => {
      const years = m.first_year && m.last_year ? (m.first_year === m.last_year ? `${m.first_year}` : `${m.first_year}–${m.last_year}`) : undefined;
      const found: ExploreMove = { move: m.move };
      const count = m.count ?? m.times;
      if (count !== undefined) found.count = count;
      if (m.share !== undefined) found.share = m.share;
      const wins = results(m, mover);
      if (wins && wins[0] + wins[1] + wins[2] > 0) found.wins = wins;
      if (m.value) found.value = m.value;
      const text = m.text ?? years;
      if (text) found.text = text;
      if (m.last_year) found.lastYear = m.last_year;
      if (m.rating) found.rating = m.rating;
      if (m.performance) found.performance = m.performance;
      return found;
    }),
    games: (raw.games ?? []).map((g) => ({
      players: players(g), ...(g.year ? { year: g.year } : {}), ...(g.result ? { result: g.result } : {}), move: g.shown ?? g.move ?? g.played ?? '',
      ...(g.event ? { event: g.event } : {}), ...(g.number !== undefined ? { number: g.number, ply: g.ply ?? 0 } : {}),
    })),
    ...(raw.games_searched === undefined ? {} : { searched: raw.games_searched, found: raw.games_found ?? 0 }),
    ...(position?.value ? { position: { value: position.value } } : {}),
  };
}

/** "Ann 2400 – Bob 2300". */
function players(g: Game): string {
  if (typeof g.players === 'string') return g.players;
  const names = g.players ?? [g.black ?? '', g.white ?? ''];
  return names.map((name, i) => [name || '?', g.ratings?.[i]].filter(Boolean).join(' ')).join(' – ');
}

function results(m: Group, mover: Side): [number, number, number] | undefined {
  if (Array.isArray(m.wins)) return m.wins;
  if (m.wins === undefined || m.losses === undefined) return undefined;
  const open = m.undecided ?? 0;
  return mover === 0 ? [m.wins, open, m.losses] : [m.losses, open, m.wins];
}

/** What has become of a run since the last look. */
export interface News {
  rows: Metrics[];
  state?: string;
  step?: number;
  plots?: Plot[];
  note?: string | null;
}

/** Rows of figures, news about the run itself, and its plots if they have changed. */
export function live(raw: { metrics?: Metrics[]; run?: { state?: string; step?: number } | null; plots?: Plot[]; note?: string | null }): News {
  const { metrics, run, plots, note } = raw;
  return {
    rows: metrics ?? [],
    ...(run?.state ? { state: run.state } : {}), ...(run?.step !== undefined ? { step: run.step } : {}),
    ...(plots ? { plots, note: note ?? null } : {}),
  };
}
