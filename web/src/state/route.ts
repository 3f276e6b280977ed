// The address after the `#`: which page, and what it shows. A link that is shared opens the same.

export const PAGES = ['play', 'analyse', 'explore', 'learn'] as const;
export type Page = (typeof PAGES)[number];

export interface Route {
  page: Page;
  /** The game, its start position and the moves, where the address names them. */
  line: { game: string; start: string | null; moves: string[] } | null;
  run: string | null;
  versus: string | null;
}

export function readRoute(hash: string): Route {
  const [head = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const page = PAGES.find((name) => name === head) ?? 'play';
  const found = new Map<string, string>();
  for (const pair of query.split('&')) {
    const [key = '', ...value] = pair.split('=');
    if (key) found.set(key, value.join('='));
  }
  const game = decode(found.get('g'));
  const line = game
    ? { game, start: decode(found.get('s')), moves: (found.get('m') ?? '').split(',').map(decode).filter((m) => m !== null) }
    : null;
  return { page, line, run: decode(found.get('run')), versus: decode(found.get('with')) };
}

/** What cannot be decoded is as good as not there: addresses get cut off in mails. */
function decode(text: string | undefined): string | null {
  if (!text) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export function writeRoute(route: Partial<Route> & { page: Page }): string {
  const query: string[] = [];
  if (route.line) {
    query.push(`g=${encode(route.line.game)}`);
    if (route.line.start) query.push(`s=${encode(route.line.start)}`);
    if (route.line.moves.length) query.push(`m=${route.line.moves.map(encode).join(',')}`);
  }
  if (route.run) query.push(`run=${encode(route.run)}`);
  if (route.versus) query.push(`with=${encode(route.versus)}`);
  return `#/${route.page}${query.length ? `?${query.join('&')}` : ''}`;
}

/** As little as possible is encoded, so that `go:9x9` and `e4,e5` stay readable. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2F/g, '/');
}
