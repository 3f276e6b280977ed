// Drawings on the board and signs about a position: commands inside a comment, as other programs write them
// ([%csl Gd4] [%cal Ge2e4]), and some more for what records of Go have.
import type { Picture } from '../api/types';
import { cellName } from '../board/geometry';

export type Colour = 'G' | 'R' | 'Y' | 'B';
export const SHAPES = ['circle', 'triangle', 'square', 'cross', 'label', 'arrow', 'line', 'selected', 'dimmed'] as const;
export type Shape = (typeof SHAPES)[number];

export interface Drawing {
  shape: Shape;
  cell: number;
  /** Where an arrow or a line ends. */
  to?: number;
  text?: string;
  colour?: Colour;
}

const COMMANDS: Record<string, Shape> = {
  csl: 'circle', tri: 'triangle', sqr: 'square', crs: 'cross', lbl: 'label', cal: 'arrow', lin: 'line', sel: 'selected', dim: 'dimmed',
};
const COMMAND = /\s*\[%(csl|cal|tri|sqr|crs|lbl|lin|sel|dim) ([^\]]*)\]/g;

/** Signs for what people think of a position, by the numbers of PGN. */
const SIGNS: Record<number, string> = {
  7: '□', 10: '=', 11: '=', 12: '=', 13: '∞', 14: '+=', 15: '=+', 16: '±', 17: '∓', 18: '+−', 19: '−+', 22: '⨀', 23: '⨀',
  32: '⟳', 33: '⟳', 36: '→', 37: '→', 40: '↑', 41: '↑', 132: '⇆', 133: '⇆', 138: '⊕', 139: '⊕', 140: '∆', 145: 'RR', 146: 'N',
};

/** The signs that stand behind a move; a number that has none is shown as files write it. */
export function signs(comment: string): string {
  const found = /\[%nag ([\d,\s]*)\]/.exec(comment)?.[1] ?? '';
  return found.split(/[\s,]+/).filter(Boolean).map((n) => SIGNS[Number(n)] ?? `$${n}`).join(' ');
}

const names = new WeakMap<Picture, Map<string, number>>();

function cells(picture: Picture): Map<string, number> {
  const known = names.get(picture);
  if (known) return known;
  const made = new Map(picture.cells.flatMap((c, i) => (c.owner === 'outside' ? [] : [[cellName(picture, i).toLowerCase(), i] as const])));
  names.set(picture, made);
  return made;
}

/** The cell of a name, in capitals or not. */
export const cellOf = (picture: Picture, name: string): number | undefined => cells(picture).get(name.trim().toLowerCase());

/** Two names: with a hyphen between them, or two squares of chess without. */
function pair(text: string): [string, string] | null {
  const found = /^(.+?)-(.+)$/.exec(text) ?? /^([a-z]\d)([a-z]\d)$/i.exec(text);
  return found?.[1] && found[2] ? [found[1], found[2]] : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function read(picture: Picture, shape: Shape, item: string): Drawing | null {
  let text = item.trim();
  const drawing: Drawing = { shape, cell: -1 };
  if (shape === 'circle' || shape === 'arrow') {
    const colour = text[0];
    if (!colour || !'GRYB'.includes(colour)) return null;
    drawing.colour = colour as Colour;
    text = text.slice(1);
  }
  if (shape === 'label') {
    const at = text.indexOf('=');
    if (at < 1) return null;
    drawing.text = decoded(text.slice(at + 1));
    text = text.slice(0, at);
  }
  const [from, to] = shape === 'arrow' || shape === 'line' ? (pair(text) ?? []) : [text];
  const [cell, end] = [cellOf(picture, from ?? ''), to === undefined ? undefined : cellOf(picture, to)];
  if (cell === undefined || (to !== undefined && (end === undefined || end === cell))) return null;
  return { ...drawing, cell, ...(end !== undefined ? { to: end } : {}) };
}

/** What is drawn on the board at a comment; what cannot be understood is passed over, and kept. */
export function drawingsOf(comment: string, picture: Picture): Drawing[] {
  return [...comment.matchAll(COMMAND)].flatMap(([, name = '', list = '']) => {
    const shape = COMMANDS[name];
    return shape ? list.split(',').flatMap((item) => read(picture, shape, item) ?? []) : [];
  });
}

/** What would end a label or the command around it. */
const HARD = /[%,=[\]\s]/g;
const encoded = (text: string): string => text.replace(HARD, (c) => (c === ' ' ? '%20' : encodeURIComponent(c)));

function item(picture: Picture, d: Drawing): string {
  const from = cellName(picture, d.cell);
  if (d.shape === 'label') return `${from}=${encoded(d.text ?? '')}`;
  if (d.to === undefined) return `${d.shape === 'circle' ? (d.colour ?? 'G') : ''}${from}`;
  const to = cellName(picture, d.to);
  const plain = /^[a-z]\d$/;
  return `${d.shape === 'arrow' ? (d.colour ?? 'G') : ''}${from}${plain.test(from) && plain.test(to) ? '' : '-'}${to}`;
}

/** The comment with these drawings instead of its own. */
export function withDrawings(comment: string, drawings: Drawing[], picture: Picture): string {
  const commands = Object.entries(COMMANDS).flatMap(([name, shape]) => {
    const mine = drawings.filter((d) => d.shape === shape);
    return mine.length ? [`[%${name} ${mine.map((d) => item(picture, d)).join(',')}]`] : [];
  });
  return [comment.replace(COMMAND, '').trim(), ...commands].filter(Boolean).join(' ');
}

const same = (a: Drawing, b: Drawing): boolean => a.shape === b.shape && a.cell === b.cell && a.to === b.to;

/** Draws something, or takes it away where it is drawn already; another colour or text replaces the old one. */
export function toggle(drawings: Drawing[], drawn: Drawing): Drawing[] {
  const there = drawings.find((d) => same(d, drawn));
  const others = drawings.filter((d) => !same(d, drawn));
  return there && (drawn.shape === 'label' || there.colour === drawn.colour) ? others : [...others, drawn];
}

/** The next letter or number that no label has yet. */
export function nextLabel(drawings: Drawing[], numbers: boolean): string {
  const used = new Set(drawings.map((d) => d.text));
  for (let n = 1; ; n++) {
    const text = numbers || n > 26 ? String(n) : String.fromCharCode(64 + n);
    if (!used.has(text)) return text;
  }
}
