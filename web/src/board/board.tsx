// The board of every game: an SVG picture, and over it a grid of invisible cells that takes pointer,
// keyboard and screen reader.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Kind, LegalMove, View } from '../api/types';
import type { Colour, Drawing } from '../state/drawings';
import { Cells } from './cells';
import { Chooser, queenFirst } from './chooser';
import { type Dress, dressFor, Ground, marginsOf, sideClass } from './dress';
import { Drawings } from './drawings';
import { Figure, Shades, Signs } from './figures';
import { type Geometry, cellAt, cellName, center, geometry, place } from './geometry';
import { Aim, Dots, LastDot, Marks, Numbers } from './marks';
import { type Arrow, Arrows, type Badge, Badges, type Ghost, Ghosts, Heat } from './overlays';
import { follow, type Piece } from './pieces';
import { type Board as Rules, dots, leaves, pick, takes, targets } from './select';

/** A finger does not surely hit a field of fewer pixels. */
const FINGER = 28;

export interface BoardProps {
  view: View;
  kind: Kind;
  flipped: boolean;
  /** May the person move now? */
  active: boolean;
  coordinates: boolean;
  hints: boolean;
  onMove(move: LegalMove): void;
  /** Values by the text of the move. */
  values?: ReadonlyMap<string, Badge>;
  heat?: ReadonlyMap<number, number>;
  arrows?: Arrow[];
  ghosts?: Ghost[];
  /** Pieces that do not count at the end. */
  dead?: ReadonlySet<number>;
  /** When each piece came, by its cell. */
  numbers?: ReadonlyMap<number, number>;
  drawings?: Drawing[];
  /** A stroke from one cell to another, with the right button; with any button while one draws. */
  onStroke?(from: number, to: number, how: Stroke): void;
  drawing?: boolean;
}

export interface Stroke {
  colour: Colour;
  right: boolean;
}

export function Board(props: BoardProps) {
  const { view, kind, flipped, active } = props;
  const { picture, sides } = view;
  const dress = dressFor(kind, picture, sides);
  const { labels, edge } = marginsOf(dress, picture, props.coordinates);
  const g = geometry(picture, labels, edge, flipped);
  const rules: Rules = { legal: active ? (view.legal ?? []) : [], picture, mover: view.to_move };

  const pieces = usePieces(view, dress);
  const [selected, setSelected] = useState<number[]>([]);
  const [choice, setChoice] = useState<{ moves: LegalMove[]; cell: number } | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [stroke, setStroke] = useState<{ from: number; to: number } | null>(null);
  /** A field under a finger that is broader than the field: only a second tap plays there. */
  const [meant, setMeant] = useState<number | null>(null);
  const [focus, setFocus] = useState(0);
  const surface = useRef<HTMLDivElement>(null);
  // A press that was taken for a drag must not count again when its click comes.
  const handled = useRef(false);

  // Another position: what was selected in the old one means nothing.
  const key = `${view.position} ${view.moves.length} ${active}`;
  useEffect(() => { setSelected([]); setChoice(null); setDrag(null); setMeant(null); }, [key]);
  // For whoever measures how soon there is something to play on.
  useEffect(() => { if (!performance.getEntriesByName('zug-board').length) performance.mark('zug-board'); }, []);

  const reachable = targets(rules, selected);
  const movable = (cell: number): boolean =>
    typeof picture.cells[cell]?.owner === 'number' && rules.legal.some((m) => m.cells.length > 1 && m.cells[0] === cell);

  const point = (from: number[], cell: number): void => {
    const found = pick(rules, from, cell);
    setChoice(found.do === 'choose' ? { moves: queenFirst(found.moves), cell: found.cell } : null);
    if (found.do === 'select') setSelected(found.cells);
    if (found.do === 'play') { setSelected([]); props.onMove(found.move); }
  };

  const tiny = (): boolean => (surface.current?.clientWidth ?? Infinity) / g.width < FINGER;

  const choose = (cell: number): void => {
    if (props.drawing && props.onStroke) props.onStroke(cell, cell, { colour: 'G', right: false });
    else point(selected, cell);
  };

  const locate = (event: PointerEvent): { cell: number | null; x: number; y: number } => {
    const box = surface.current?.getBoundingClientRect();
    if (!box) return { cell: null, x: 0, y: 0 };
    const [across, down] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    return { cell: cellAt(g, across, down), x: across * g.across, y: down * g.down };
  };

  const inside = (cell: number | null): cell is number => cell !== null && picture.cells[cell]?.owner !== 'outside';

  const down = (event: PointerEvent): void => {
    handled.current = false;
    if (props.onStroke && (event.button === 2 || (props.drawing && event.button === 0))) {
      const { cell } = locate(event);
      if (!inside(cell)) return;
      handled.current = true;
      setStroke({ from: cell, to: cell });
      surface.current?.setPointerCapture(event.pointerId);
      return;
    }
    if (event.button !== 0 || !active || choice) return;
    const { cell, x, y } = locate(event);
    // Only pieces that can move are dragged; everything else waits for the click, which does not
    // come when a finger scrolls the page.
    if (cell === null || !movable(cell) || (selected.length > 0 && selected[0] !== cell && reachable.has(cell))) return;
    handled.current = true;
    const again = selected.length === 1 && selected[0] === cell;
    setSelected([cell]);
    setChoice(null);
    setDrag({ cell, x, y, again, moved: false });
    surface.current?.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    if (!drag && !stroke) return;
    const { cell, x, y } = locate(event);
    if (stroke && inside(cell) && cell !== stroke.to) setStroke({ ...stroke, to: cell });
    if (!drag) return;
    setDrag({ ...drag, x, y, moved: drag.moved || Math.hypot(x - drag.x, y - drag.y) > 1.2 });
  };
  const up = (event: PointerEvent): void => {
    const { cell } = locate(event);
    if (stroke) {
      setStroke(null);
      const unsure = tiny() && event.pointerType === 'touch' && cell === stroke.from && meant !== cell;
      setMeant(unsure ? cell : null);
      if (inside(cell) && !unsure) props.onStroke?.(stroke.from, cell, { colour: colourOf(event), right: event.button === 2 });
    }
    if (!drag) return;
    setDrag(null);
    if (cell !== null && cell !== drag.cell) point([drag.cell], cell);
    // A press on a piece that was selected plays a move that ends there (a car that leaves), or gives it up.
    else if (drag.again && !drag.moved) point(selected, drag.cell);
    // Whoever pulls a piece over the edge means the move that leaves the board, where there is one.
    else if (cell === null && leaves(rules, drag.cell)) point([drag.cell], drag.cell);
  };

  const click = (event: MouseEvent): void => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-cell]')?.dataset.cell;
    if (cell !== undefined && !handled.current) {
      const at = Number(cell);
      const unsure = tiny() && (event as PointerEvent).pointerType === 'touch' && !props.drawing && pick(rules, selected, at).do === 'play';
      if (unsure && meant !== at) setMeant(at);
      else choose(at);
    }
    handled.current = false;
  };

  const onKey = (event: KeyboardEvent): void => {
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (step) {
      const next = neighbour(g, view, focus, step);
      setFocus(next);
      surface.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      choose(focus);
    } else if (event.key === 'Escape' && (selected.length || choice)) {
      setSelected([]);
      setChoice(null);
    } else {
      return;
    }
    event.preventDefault();
    // The arrows move over the board here, not through the game.
    event.stopPropagation();
  };

  const shown = props.hints ? dots(rules, selected) : new Set<number>();
  const sideClasses: [string, string] = [sideClass(kind, sides, 0), sideClass(kind, sides, 1)];
  const badges = props.values ? badgesFor(rules, selected, props.values) : null;
  const occupied = new Set(picture.cells.flatMap((c, i) => (typeof c.owner === 'number' ? [i] : [])));
  const owners = new Map(picture.cells.flatMap((c, i) => (c.owner === 0 || c.owner === 1 ? [[i, `on-${sideClasses[c.owner]}`] as const] : [])));
  // Focus must stay on a cell of this board when another game is shown.
  const focused = picture.cells[focus] && picture.cells[focus].owner !== 'outside' ? focus : picture.cells.findIndex((c) => c.owner !== 'outside');

  // A stream of values redraws the board many times a second; what has not changed is not compared again.
  const ground = useMemo(() => <Ground dress={dress} picture={picture} g={g} coordinates={props.coordinates} />,
    [dress, picture, flipped, props.coordinates]);
  const cells = useMemo(() => <Cells g={g} view={view} reachable={reachable} selected={selected} focused={focused} onFocus={setFocus} />,
    [view, flipped, props.coordinates, active, selected, focused]);

  return (
    <div class={`board dress-${dress}`} style={{ aspectRatio: `${g.across} / ${g.down}` }}>
      <svg viewBox={`0 0 ${g.across} ${g.down}`} aria-hidden="true">
        <Shades />
        {ground}
        <Marks g={g} dress={dress} last={view.last.filter((c) => picture.cells[c]?.owner !== 'outside')} selected={selected} />
        {props.heat && <Heat g={g} heat={props.heat} />}
        <g class="pieces">
          {pieces.map((piece) => {
            const held = drag?.moved && drag.cell === piece.cell;
            const { x, y } = held ? drag : center(g, piece.cell);
            return (
              <g key={piece.key} class={`piece ${sideClasses[piece.owner]} ${piece.event}${held ? ' held' : ''}${props.dead?.has(piece.cell) ? ' dead' : ''}`}
                style={{ transform: `translate(${x}px, ${y}px)` }}>
                <Figure piece={piece} dress={dress} />
              </g>
            );
          })}
        </g>
        {dress === 'grid' && <Signs g={g} view={view} />}
        {props.numbers?.size
          ? <Numbers g={g} view={view} numbers={props.numbers} sideClasses={sideClasses} />
          : <LastDot g={g} dress={dress} view={view} sideClasses={sideClasses} />}
        {!badges && !takes(rules) && <Dots g={g} cells={shown} occupied={occupied} sideClass={sideClasses[view.to_move]} />}
        {props.arrows && <Arrows g={g} arrows={props.arrows} />}
        {props.ghosts && <Ghosts g={g} ghosts={props.ghosts} sideClasses={sideClasses} />}
        {(!!props.drawings?.length || stroke) && <Drawings g={g} occupied={owners} drawings={[...(props.drawings ?? []),
          ...(stroke && stroke.from !== stroke.to ? [{ shape: 'arrow' as const, cell: stroke.from, to: stroke.to }] : [])]} />}
        {meant !== null && <Aim g={g} cell={meant} side={sideClasses[view.to_move]} />}
        {badges && <Badges g={g} badges={badges} low={kind === 'chess' ? occupied : new Set()} />}
      </svg>
      <div class={`cells${props.drawing || rules.legal.some((m) => m.cells.length > 1) ? ' drags' : ''}`} ref={surface} role="grid" aria-label={`${view.title} board`}
        onMouseDown={keepFocus} onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerCancel={() => { setDrag(null); setStroke(null); }} onClick={click}
        onContextMenu={(e) => { if (props.onStroke) e.preventDefault(); }} onKeyDown={onKey}>
        {cells}
      </div>
      {meant !== null && <p class="tap-again" role="status">Tap again {props.drawing ? 'for' : 'to play'} {cellName(picture, meant)}</p>}
      {choice && <Chooser g={g} choice={choice} onPick={(m) => { setChoice(null); setSelected([]); props.onMove(m); }}
        onClose={() => { setChoice(null); setSelected([]); }} />}
    </div>
  );
}

/** A click on the board must not take the arrow keys away from the game; a text field lets go of them. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** The colours of other boards: red with Shift, blue with Alt, yellow with both. */
function colourOf({ shiftKey, ctrlKey, altKey }: PointerEvent): Colour {
  const red = shiftKey || ctrlKey;
  return red ? (altKey ? 'Y' : 'R') : altKey ? 'B' : 'G';
}

interface Drag {
  cell: number;
  x: number;
  y: number;
  /** The piece was selected already, so a press without a move gives it up. */
  again: boolean;
  moved: boolean;
}

/** Pieces with their identity from the position that was shown before. */
function usePieces(view: View, dress: Dress): Piece[] {
  const before = useRef<{ game: string; pieces: Piece[]; view: View } | null>(null);
  const discs = dress === 'othello' || dress === 'go' || dress === 'wells';
  return useMemo(() => {
    const same = before.current?.game === view.game && before.current.view.picture.cells.length === view.picture.cells.length;
    const pieces = follow(same ? (before.current?.pieces ?? null) : null, view.picture, discs);
    before.current = { game: view.game, pieces, view };
    return pieces;
  }, [view.picture, view.game, discs]);
}

/** The next cell of the board in a direction, as drawn. */
function neighbour(g: Geometry, view: View, cell: number, [dx, dy]: [number, number]): number {
  let { column, row } = place(g, cell);
  for (;;) {
    column += dx;
    row += dy;
    if (column < 0 || row < 0 || column >= g.width || row >= g.height) return cell;
    const index = g.flipped ? (g.height - 1 - row) * g.width + (g.width - 1 - column) : row * g.width + column;
    if (view.picture.cells[index]?.owner !== 'outside') return index;
  }
}

/** Values on the cells: of the piece that is selected, or the best one of each piece or cell. */
function badgesFor(rules: Rules, selected: number[], values: ReadonlyMap<string, Badge>): Map<number, Badge> {
  const result = new Map<number, Badge>();
  for (const { move, cells } of rules.legal) {
    const badge = values.get(move);
    if (!badge || (selected.length > 0 && cells[0] !== selected[0])) continue;
    const cell = selected.length > 0 ? cells.at(-1) : cells[0];
    if (cell === undefined) continue;
    const there = result.get(cell);
    if (!there || there.tone < badge.tone || badge.best) result.set(cell, badge);
  }
  return result;
}
