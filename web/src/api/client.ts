// One place that speaks HTTP: every request goes through here, so that errors always have a plain
// sentence and a lost server is noticed once.
import { signal } from '@preact/signals';
import * as adapt from './adapt';
import { EventReader } from './sse';
import type {
  Chosen, CollectedGame, DatabaseAnswer, ExploreFilter, GameDetails, GameSummary, Limits, Line,
  LinesEvent, MoveAnswer, Outcome, PlyEvent, RecordsAnswer, RunDetails, RunSummary, SentRecord, Side, Source, Value, View, Weights,
} from './types';

const BASE = 'api/v1';

/** What the server said, as one sentence that can be shown. */
export class ApiError extends Error {
  constructor(message: string, readonly status: number, readonly where?: string) {
    super(message);
  }
}

/** False while the server does not answer; `visits` counts how often it has come back. */
export const online = signal(true);
export const visits = signal(0);

const TOKEN = 'zug.token';

/** A server on another interface wants a token; it comes once in the address and is then hidden. */
export function takeToken(): void {
  const address = new URL(window.location.href);
  const token = address.searchParams.get('token');
  if (!token) return;
  sessionStorage.setItem(TOKEN, token);
  address.searchParams.delete('token');
  window.history.replaceState(null, '', address);
}

function headers(more?: Record<string, string>): Record<string, string> {
  const token = sessionStorage.getItem(TOKEN);
  return { ...more, ...(token ? { authorization: `Bearer ${token}` } : {}) };
}

async function ask(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${BASE}${path}`, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    lost();
    throw new ApiError('The server does not answer.', 0);
  }
  if (response.ok) return response;
  throw await readError(response);
}

async function readError(response: Response): Promise<ApiError> {
  try {
    const body = (await response.json()) as { error?: { message?: string; where?: string } };
    if (body.error?.message) return new ApiError(body.error.message, response.status, body.error.where);
  } catch {
    // Not JSON: a proxy, or nothing at all; the status must do.
  }
  return new ApiError(`The server answered ${response.status} ${response.statusText}`.trim() + '.', response.status);
}

let waiting = false;

/** Asks for a sign of life until one comes. */
function lost(): void {
  online.value = false;
  if (waiting) return;
  waiting = true;
  const knock = async (): Promise<void> => {
    try {
      const answer = await fetch(`${BASE}/health`, { headers: headers(), cache: 'no-store' });
      if (answer.ok) {
        waiting = false;
        online.value = true;
        visits.value += 1;
        return;
      }
    } catch {
      // Still gone.
    }
    window.setTimeout(knock, 1500);
  };
  window.setTimeout(knock, 800);
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await ask(path, { headers: headers(), signal })).json()) as T;
}

function body(value: unknown, signal?: AbortSignal): RequestInit {
  return { method: 'POST', headers: headers({ 'content-type': 'application/json' }), body: JSON.stringify(value), signal };
}

async function post<T>(path: string, value: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await ask(path, body(value, signal))).json()) as T;
}

/** Calls `handle` for every event until the stream ends or `signal` stops it. */
async function stream(
  path: string, init: RequestInit, signal: AbortSignal, handle: (event: string, data: unknown) => void,
): Promise<void> {
  const response = await ask(path, { ...init, signal });
  if (!response.body) throw new ApiError('The answer is empty.', response.status);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const { event, data } of events.push(value)) {
        if (signal.aborted) return;
        const parsed: unknown = JSON.parse(data);
        if (event === 'error') {
          const { error } = parsed as { error?: { message?: string } };
          throw new ApiError(error?.message ?? 'The server stopped with an error.', 500);
        }
        handle(event, parsed);
      }
    }
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error;
    lost();
    throw new ApiError('The connection was lost.', 0);
  }
}

const of = encodeURIComponent;

export interface AnalyseHandlers {
  lines(event: LinesEvent): void;
  wait(ahead: number): void;
  end(reason: string): void;
}

export const api = {
  games: () => get<{ version: string; games: GameSummary[] }>('/games'),
  game: (spec: string) => get<GameDetails>(`/games/${of(spec)}`),
  view: (line: Line, signal?: AbortSignal) => post<View>('/view', line, signal),
  settle: (line: Line, signal?: AbortSignal) => post<{ outcome: Outcome; dead: number[] }>('/settle', line, signal),
  views: (line: Line, signal?: AbortSignal) => post<{ views: View[] }>('/views', line, signal),
  move: (request: { line: Line; level?: string; player?: string; limits?: Limits }, signal?: AbortSignal) =>
    post<MoveAnswer>('/move', request, signal),
  guess: async (line: Line, top: number, signal?: AbortSignal) =>
    adapt.guess(await post<Parameters<typeof adapt.guess>[0]>('/guess', { line, top }, signal)),
  explore: async (line: Line, source: Source, filter: ExploreFilter, mover: Side, signal?: AbortSignal) =>
    adapt.explored(await post<Parameters<typeof adapt.explored>[0]>('/explore', { line, source, ...filter }, signal), source, mover),
  collected: (spec: string, number: number) => get<CollectedGame>(`/explore/${of(spec)}/game?number=${number}`),
  database: (spec: string) => get<DatabaseAnswer>(`/databases/${of(spec)}`),
  random: (spec: string, value: string, plies?: number) =>
    get<{ position: string; value?: Value }>(
      `/databases/${of(spec)}/random?value=${of(value)}${plies === undefined ? '' : `&plies=${plies}`}&seed=${Math.floor(Math.random() * 2 ** 32)}`,
    ),
  runs: () => get<{ runs: RunSummary[] }>('/runs'),
  weights: (name: string, chosen: Chosen, signal?: AbortSignal) => {
    const query = Object.entries(chosen).map(([key, value]) => `${key}=${of(value)}`).join('&');
    return get<{ weights: Weights | null; note: string | null }>(`/runs/${of(name)}/weights${query && `?${query}`}`, signal);
  },
  run: (name: string) => get<RunDetails>(`/runs/${of(name)}`),

  async read(game: string, name: string, bytes: Blob): Promise<RecordsAnswer> {
    const init = { method: 'POST', headers: headers({ 'content-type': 'application/octet-stream' }), body: bytes };
    return (await (await ask(`/records/read?game=${of(game)}&name=${of(name)}`, init)).json()) as RecordsAnswer;
  },

  async write(request: {
    game: string;
    format: string;
    records: SentRecord[];
  }): Promise<Blob> {
    return (await ask('/records/write', body(request))).blob();
  },

  async report(request: { game: string; record: SentRecord; judged: PlyEvent[]; format: string; by: string }): Promise<Blob> {
    return (await ask('/report', body(request))).blob();
  },

  /** A page of its own, so it is linked and not fetched. */
  runReport: (name: string, against: string | null, download: boolean): string => {
    const query = [...(against ? [`against=${of(against)}`] : []), ...(download ? ['download=true'] : [])].join('&');
    return `${BASE}/runs/${of(name)}/report${query && `?${query}`}`;
  },

  analyse(
    request: { line: Line; lines: number; all: boolean; limits?: Limits }, signal: AbortSignal, on: AnalyseHandlers,
  ): Promise<void> {
    return stream('/analyse', body(request), signal, (event, data) => {
      if (event === 'lines') on.lines(adapt.lines(data as Parameters<typeof adapt.lines>[0]));
      else if (event === 'wait') on.wait((data as { ahead: number }).ahead);
      else if (event === 'end') on.end((data as { reason: string }).reason);
    });
  },

  judge(request: { line: Line; limits?: Limits }, signal: AbortSignal, on: (ply: PlyEvent) => void): Promise<void> {
    return stream('/judge', body(request), signal, (event, data) => {
      const ply = event === 'ply' ? adapt.ply(data as Parameters<typeof adapt.ply>[0]) : null;
      if (ply) on(ply);
    });
  },

  runLive(name: string, signal: AbortSignal, on: (news: ReturnType<typeof adapt.live>) => void): Promise<void> {
    return stream(`/runs/${of(name)}/live`, { headers: headers() }, signal, (event, data) => {
      if (event === 'metrics') on(adapt.live(data as Parameters<typeof adapt.live>[0]));
    });
  },
};
