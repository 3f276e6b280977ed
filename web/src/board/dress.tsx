// What a board looks like without its pieces: one dress for each kind of game.
import type { Kind, Picture } from '../api/types';
import { CELL, center, corner, type Geometry } from './geometry';

export type Dress = 'chess' | 'othello' | 'go' | 'lines' | 'wells' | 'grid';

/** Morris boards are lines with gaps between the fields; red and yellow discs fall into wells. */
export function dressFor(kind: Kind, picture: Picture, sides: [string, string]): Dress {
  if (kind !== 'grid') return kind;
  if (picture.chequered) return 'chess';
  if (picture.cells.some((c) => c.owner === 'outside' && '─│┼'.includes(c.glyph))) return 'lines';
  return sides.includes('red') && sides.includes('yellow') ? 'wells' : 'grid';
}

/** Room for the coordinates around the board; chess has them on its squares. */
export function marginsOf(dress: Dress, picture: Picture, coordinates: boolean): { labels: number; edge: number } {
  if (dress === 'chess') return { labels: 0, edge: 0 };
  const edge = dress === 'grid' ? 0.5 : 1.5;
  if (!coordinates || !(picture.columns.length || picture.rows.length)) return { labels: edge, edge };
  // The letters have about the same size on the screen, whatever the size of the board.
  return { labels: Math.max(1.6, Math.min(5, Math.max(picture.width, picture.height) * 0.4)), edge };
}

const KNOWN = ['white', 'black', 'red', 'yellow'];

/** The class that colours a side: by its name where that is a colour. */
export function sideClass(kind: Kind, sides: [string, string], side: 0 | 1): string {
  const name = sides[side]?.toLowerCase() ?? '';
  if (KNOWN.includes(name)) return `side-${name}`;
  if (kind === 'chess') return side === 0 ? 'side-white' : 'side-black';
  if (kind === 'othello' || kind === 'go') return side === 0 ? 'side-black' : 'side-white';
  return side === 0 ? 'side-a' : 'side-b';
}

interface Props {
  dress: Dress;
  picture: Picture;
  g: Geometry;
  coordinates: boolean;
}

export function Ground({ dress, picture, g, coordinates }: Props) {
  const inside = picture.cells.flatMap((c, i) => (c.owner === 'outside' ? [] : [i]));
  return (
    <g class="ground">
      <rect class="frame" width={g.across} height={g.down} />
      {dress === 'chess' && <Squares g={g} inside={inside} />}
      {dress === 'othello' && <Felt g={g} />}
      {dress === 'go' && <Crossings g={g} picture={picture} />}
      {dress === 'lines' && <Rings g={g} picture={picture} />}
      {dress === 'wells' && inside.map((i) => {
        const { x, y } = center(g, i);
        return <circle key={i} class="well" cx={x} cy={y} r={4.2} />;
      })}
      {dress === 'grid' && inside.map((i) => {
        const { x, y } = corner(g, i);
        return <rect key={i} class="tile" x={x + 0.3} y={y + 0.3} width={CELL - 0.6} height={CELL - 0.6} rx={1} />;
      })}
      {coordinates && <Coordinates dress={dress} picture={picture} g={g} />}
    </g>
  );
}

/** One path for each colour: squares drawn one by one would show seams. */
function Squares({ g, inside }: { g: Geometry; inside: number[] }) {
  const draw = (odd: number): string =>
    inside.filter((i) => (Math.floor(i / g.width) + (i % g.width)) % 2 === odd)
      .map((i) => { const { x, y } = corner(g, i); return `M${x} ${y}h${CELL}v${CELL}h${-CELL}z`; }).join('');
  return <><path class="dark" d={draw(1)} shape-rendering="crispEdges" /><path class="light" d={draw(0)} shape-rendering="crispEdges" /></>;
}

function Felt({ g }: { g: Geometry }) {
  const [w, h] = [g.width * CELL, g.height * CELL];
  let lines = '';
  for (let i = 0; i <= g.width; i++) lines += `M${g.left + i * CELL} ${g.top}v${h}`;
  for (let i = 0; i <= g.height; i++) lines += `M${g.left} ${g.top + i * CELL}h${w}`;
  const spots = g.width >= 6 && g.height >= 6 ? [2, -2] : [];
  return (
    <>
      <rect class="felt" x={g.left} y={g.top} width={w} height={h} />
      <path class="felt-lines" d={lines} />
      {spots.flatMap((a) => spots.map((b) => (
        <circle key={`${a} ${b}`} class="spot" r={0.7}
          cx={g.left + (a < 0 ? g.width + a : a) * CELL} cy={g.top + (b < 0 ? g.height + b : b) * CELL} />
      )))}
    </>
  );
}

function Crossings({ g, picture }: { g: Geometry; picture: Picture }) {
  const half = CELL / 2;
  let lines = '';
  for (let i = 0; i < g.width; i++) lines += `M${g.left + half + i * CELL} ${g.top + half}v${(g.height - 1) * CELL}`;
  for (let i = 0; i < g.height; i++) lines += `M${g.left + half} ${g.top + half + i * CELL}h${(g.width - 1) * CELL}`;
  return (
    <>
      <path class="crossings" d={lines} />
      {starPoints(picture).map((cell) => {
        const { x, y } = center(g, cell);
        return <circle key={cell} class="star" cx={x} cy={y} r={g.width > 11 ? 1.15 : 0.9} />;
      })}
    </>
  );
}

/** The picture shows only the star points that are free; a stone that is slid over one must not eat it. */
function starPoints(picture: Picture): number[] {
  const { width: w, height: h } = picture;
  if (w !== h || w < 7) return picture.cells.flatMap((c, i) => (c.glyph === '+' ? [i] : []));
  const edge = w >= 13 ? 3 : 2;
  const lines = [edge, w - 1 - edge];
  const middle = (w - 1) / 2;
  const stars = lines.flatMap((row) => lines.map((column) => row * w + column));
  if (w % 2 === 1 && w >= 9) stars.push(middle * w + middle);
  if (w % 2 === 1 && w >= 15) for (const l of lines) stars.push(middle * w + l, l * w + middle);
  return stars;
}

/** Lines along what the picture draws with line glyphs, and between fields side by side. */
function Rings({ g, picture }: { g: Geometry; picture: Picture }) {
  const at = (column: number, row: number) =>
    column < 0 || row < 0 || column >= g.width || row >= g.height ? undefined : picture.cells[row * g.width + column];
  const joins = (cell: ReturnType<typeof at>, glyph: string): boolean =>
    !!cell && (cell.owner !== 'outside' || cell.glyph === glyph || cell.glyph === '┼');
  let lines = '';
  picture.cells.forEach((cell, i) => {
    const [column, row] = [i % g.width, Math.floor(i / g.width)];
    const a = center(g, i);
    if (joins(cell, '─') && joins(at(column + 1, row), '─')) lines += `M${a.x} ${a.y}h${g.flipped ? -CELL : CELL}`;
    if (joins(cell, '│') && joins(at(column, row + 1), '│')) lines += `M${a.x} ${a.y}v${g.flipped ? -CELL : CELL}`;
  });
  return (
    <>
      <path class="crossings rings" d={lines} />
      {picture.cells.map((cell, i) => {
        const { x, y } = center(g, i);
        return cell.owner === 'outside' ? null : <circle key={i} class="star" cx={x} cy={y} r={1.2} />;
      })}
    </>
  );
}

function Coordinates({ dress, picture, g }: Omit<Props, 'coordinates'>) {
  const columns = picture.columns.map((text, i) => ({ text, at: g.flipped ? g.width - 1 - i : i }));
  const rows = picture.rows.map((text, i) => ({ text, at: g.flipped ? g.height - 1 - i : i }));
  if (dress === 'chess') {
    return (
      <g class="coordinates on-squares">
        {columns.map(({ text, at }) => (
          <text key={text} class={(at + g.height) % 2 === 0 ? 'on-dark' : 'on-light'} x={at * CELL + 9.3} y={g.down - 0.7} text-anchor="end">{text}</text>
        ))}
        {rows.map(({ text, at }) => (
          <text key={text} class={at % 2 === 1 ? 'on-dark' : 'on-light'} x={0.6} y={at * CELL + 2.3}>{text}</text>
        ))}
      </g>
    );
  }
  const size = g.left * 0.68;
  return (
    <g class="coordinates" font-size={size} text-anchor="middle">
      {columns.map(({ text, at }) => (
        <text key={text} x={g.left + at * CELL + CELL / 2} y={g.down - g.left / 2 + size * 0.36}>{text}</text>
      ))}
      {rows.map(({ text, at }) => (
        <text key={text} x={g.left / 2} y={g.top + at * CELL + CELL / 2 + size * 0.36}>{text}</text>
      ))}
    </g>
  );
}
