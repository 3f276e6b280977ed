// Sizes and options of a game, as its help tells them ("9x9,komi=7.5,ko=simple|superko,handicap=N"): the page knows
// no game, so whoever writes one gets a form for its variants too.

export interface Option {
  name: string;
  /** The values to choose from; none where any number or word will do. */
  choices: string[];
  /** From and to, where the help says so: "960=N (0 to 959)". */
  range?: [number, number];
  /** What the help shows as an example, if that is a number. */
  example?: string;
}

const OPTION = /\b([a-z0-9][a-z0-9-]*)=([A-Za-z0-9.]+(?:\|[A-Za-z0-9.]+)*)(?:\s*\((-?\d+) to (-?\d+)\))?/g;

export function options(help: string): Option[] {
  const found = new Map<string, Option>();
  for (const [, name = '', values = '', low, high] of help.matchAll(OPTION)) {
    const choices = values.includes('|') ? values.split('|') : [];
    found.set(name, {
      name, choices,
      ...(low !== undefined && high !== undefined ? { range: [Number(low), Number(high)] as [number, number] } : {}),
      ...(choices.length === 0 && /^[\d.]+$/.test(values) ? { example: values } : {}),
    });
  }
  return [...found.values()];
}

/** Does the game come in sizes? */
export const sized = (help: string, specs: string[]): boolean => /\b(NxN|WxH)\b/.test(help) || [help, ...specs].some((text) => /[:\s]\d+x\d+/.test(text));

/** The parts of a spec: its size (or whatever has no name), and its options. */
export function parts(spec: string): { size: string; named: Map<string, string> } {
  const named = new Map<string, string>();
  const bare: string[] = [];
  for (const part of spec.includes(':') ? spec.slice(spec.indexOf(':') + 1).split(',') : []) {
    const at = part.indexOf('=');
    if (at > 0) named.set(part.slice(0, at), part.slice(at + 1));
    else if (part) bare.push(part);
  }
  return { size: bare.join(','), named };
}

/** A spec from its parts; what is empty is left to the game. */
export function spell(name: string, size: string, named: Iterable<[string, string]>): string {
  const all = [size.trim().replace('×', 'x'), ...[...named].filter(([, v]) => v.trim()).map(([k, v]) => `${k}=${v.trim()}`)].filter(Boolean);
  return all.length ? `${name}:${all.join(',')}` : name;
}
