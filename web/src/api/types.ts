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
  can: { guess: boolean; explore: boolean; book: boolean; database: boolean; settle: boolean };
  unit: Unit;
  view: View;
}

export interface Value {
  text: string;
  kind: 'estimate' | 'won' | 'lost' | 'draw' | 'chance';
  number: number;
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

export interface PlyEvent {
  ply: number;
  value: Value;
  best: string | null;
  best_text: string | null;
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
  text?: string;
}

export interface ExploreAnswer {
  source: Source;
  name: string | null;
  moves: ExploreMove[];
  games?: { players: string; year?: number; result?: string; move?: string }[];
  position?: { value: Value };
}

export interface DatabaseAnswer {
  parts?: unknown[];
  draws?: number;
  distances: { value: string; plies: number; count: number }[];
  longest: string[];
}

export interface RecordNode {
  move: string | null;
  text?: string | null;
  comment?: string;
  children: RecordNode[];
}

export interface GameRecord {
  tags: Record<string, string>;
  start: string | null;
  tree: RecordNode;
  result?: string | null;
  moves: number;
}

export interface RecordsAnswer {
  games: GameRecord[];
  problems: { game: number; message: string }[];
  more: number;
  /** Games whose variations were left behind. */
  variations?: number;
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

export interface RunDetails {
  name: string;
  config: Record<string, unknown>;
  state: string;
  metrics: Metrics[];
  tables?: unknown[];
  report: boolean;
}
