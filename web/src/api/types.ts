// The shapes of the HTTP interface, version 1. Names are those of the server's JSON.

export type Side = 0 | 1;
export type Kind = 'othello' | 'chess' | 'go' | 'grid';
export type Unit = 'pawns' | 'discs' | 'points' | 'plain';

/** A game from its start: what every request about a position carries. */
export interface Line {
  game: string;
  start: string | null;
  moves: string[];
}

export interface Cell {
  owner: Side | null | 'outside';
  glyph: string;
  letter: string;
}

export interface Picture {
  width: number;
  height: number;
  chequered: boolean;
  columns: string[];
  rows: string[];
  cells: Cell[];
  notes: string[];
}

/** `move` is what is sent back ("g1f3"), `text` what people read ("Nf3"). */
export interface LegalMove {
  move: string;
  text: string;
  cells: number[];
}

export interface Outcome {
  winner: Side | null;
  reason: string;
  margin: number | null;
}

export interface View {
  game: string;
  title: string;
  sides: [string, string];
  start: string | null;
  moves: string[];
  /** The moves for people. */
  texts: string[];
  position: string;
  to_move: Side;
  ply: number;
  outcome: Outcome | null;
  /** Missing in the answers of `/views`, which are only for looking. */
  legal?: LegalMove[];
  last: number[];
  picture: Picture;
}

export interface GameSummary {
  name: string;
  title: string;
  help: string;
  specs: string[];
  kind: Kind;
}

export interface Level {
  name: string;
  label: string;
  player: string;
  about: string;
}

export interface Format {
  name: string;
  extensions: string[];
}

export interface GameDetails {
  spec: string;
  title: string;
  kind: Kind;
  sides: [string, string];
  players: { name: string; help: string }[];
  levels: Level[];
  formats: Format[];
  can: { guess: boolean; explore: boolean; book: boolean; database: boolean; endings: boolean; settle: boolean };
  unit: Unit;
  view: View;
}

export interface Value {
  text: string;
  kind: 'estimate' | 'won' | 'lost' | 'draw' | 'chance';
  /** None where it is proven who wins, and not by how much. */
  number: number | null;
  plies?: number;
  /** How likely the FIRST side wins, 0…1. */
  chance: number;
}

export interface Info {
  rank: number;
  move: string;
  value: Value;
  depth: number;
  deepest?: number;
  nodes: number;
  line: string[];
  texts: string[];
}

export interface Limits {
  movetime_ms?: number;
  depth?: number;
  nodes?: number;
  clock?: { remaining_ms: [number, number]; increment_ms: [number, number] };
}

export interface MoveAnswer {
  move: string;
  resigns: boolean;
  info: Info | null;
  view: View;
}

export interface LinesEvent {
  depth: number;
  nodes: number;
  elapsed_ms: number;
  finished: boolean;
  lines: Info[];
}

/** What a move is worth in somebody's eyes, in the signs of chess players. */
export type Mark = '!' | '?' | '!!' | '??' | '!?' | '?!';
export const MARKS: readonly Mark[] = ['!', '?', '!!', '??', '!?', '?!'];

/** What losses count: discs, or the chance to win, 0…1. */
export type LossUnit = 'discs' | 'chance';

export interface PlyEvent {
  ply: number;
  value: Value;
  best: string | null;
  best_text: string | null;
  line: string[];
  texts: string[];
  /** What the move played here gave away, in this unit, and its name if that was much. */
  loss: number | null;
  unit: LossUnit | null;
  mark: '?!' | '?' | '??' | null;
}

export interface GuessAnswer {
  moves: { move: string; probability: number }[];
  model: string;
}

export type Source = 'book' | 'records' | 'database';

export interface ExploreMove {
  move: string;
  count?: number;
  share?: number;
  wins?: [number, number, number];
  value?: Value;
  /** The years in which it was played. */
  text?: string;
  lastYear?: number;
  /** Mean rating of those who played it, and what their results speak of. */
  rating?: number;
  performance?: number;
}

export interface ExploreGame {
  players: string;
  year?: number;
  result?: string;
  move?: string;
  event?: string;
  /** Where it can be fetched whole: its number, and the ply of the position. */
  number?: number;
  ply?: number;
}

export interface ExploreAnswer {
  source: Source;
  name: string | null;
  moves: ExploreMove[];
  games?: ExploreGame[];
  position?: { value: Value };
  /** Records: how many games count, and how many of them came by. */
  searched?: number;
  found?: number;
}

/** Which games of the records count. */
export interface ExploreFilter {
  part?: string;
  from?: number;
  until?: number;
  player?: string;
  /** The latest games, not those of the strongest players. */
  latest?: boolean;
}

/** A whole game of the records. */
export interface CollectedGame {
  game: string;
  start: string | null;
  tags: Record<string, string>;
  moves: string[];
  texts: string[];
  /** Is the result known, and who won (null for a draw)? */
  known: boolean;
  winner: Side | null;
}

export interface DatabaseAnswer {
  parts?: unknown[];
  draws?: number;
  distances: { value: string; plies: number; count: number }[];
  longest: string[];
}

/** The root has no move; every node stands after the one that it follows. */
export interface RecordNode {
  parent?: number | null;
  move?: string | null;
  text?: string | null;
  comment?: string | null;
  mark?: Mark | null;
}

/** A game as it is sent. */
export interface SentRecord {
  tags: Record<string, string>;
  start: string | null;
  nodes: RecordNode[];
  result?: { winner: Side | null; margin?: number };
}

export interface GameRecord {
  game: string;
  sides: [string, string];
  tags: Record<string, string>;
  start: string | null;
  nodes: RecordNode[];
  result?: string | null;
  moves: number;
}

export interface RecordsAnswer {
  games: GameRecord[];
  problems: { game: number; message: string }[];
  more: number;
  /** Variations that could not be played. */
  left_out: number;
}

export interface RunSummary {
  /** Null for a folder that cannot be read; the message says why. */
  name: string | null;
  task: string;
  game: string;
  state: string;
  message: string;
  step: number;
  updated: string | number;
}

export type Metrics = { step: number } & Record<string, unknown>;

/** A plot of a run's report, as numbers. Gaps are null. */
export interface Plot {
  section: string;
  caption: string;
  title: string;
  x: string;
  y: string;
  x_range: [number, number] | null;
  y_range: [number, number] | null;
  categories?: string[];
  series: { name: string; mark: PlotMark; points: [number | null, number | null][]; errors?: (number | null)[] }[];
}

export type PlotMark = 'line' | 'points' | 'bars' | 'guide';

export interface RunDetails {
  name: string;
  config: Record<string, unknown>;
  state: string;
  metrics: Metrics[];
  plots: Plot[];
  /** Why there are no plots. */
  note: string | null;
}

/** What can be chosen when weights are looked at. */
export type Part = 'experiment' | 'type' | 'games' | 'group';
export type Chosen = Partial<Record<Part, string>>;

export interface WeightBoard {
  title: string;
  about: string;
  width: number;
  height: number;
  columns: string[];
  rows: string[];
  /** Row by row from the top; null where there is no field, or no weight. */
  cells: (number | null)[];
}

export interface WeightList {
  title: string;
  about: string;
  items: { name: string; value: number }[];
}

export interface Weights {
  about: string;
  unit: string;
  choices: { name: Part; label: string; chosen: string; options: { name: string; help: string }[] }[];
  boards: WeightBoard[];
  lists: WeightList[];
}
