// The moves of the game: the main line in two columns, variations and comments between.
import { useEffect, useRef } from 'preact/hooks';
import { judged } from '../state/graph';
import { SIGNS, type Verdict } from '../state/judge';
import { signs } from '../state/drawings';
import { details, goTo, kind, known, table } from '../state/session';
import * as t from '../state/tree';
import { Nothing } from '../ui/controls';

/** The ply of the first move, counted from the first side: 1 if the second side begins. */
function offset(): number {
  const { spec, start } = table.value;
  const first = known({ game: spec, start, moves: [] }) ?? (start === null ? details.value?.view : undefined);
  return first?.to_move === 1 ? 1 : 0;
}

/** Chess counts a move of each side as one; where stones are put down, each has its own number. */
const single = (): boolean => kind.value === 'go' || kind.value === 'othello';

/** Othello counts discs: what was passed has no number, and does not count. */
function passesBefore(tree: t.Tree, id: number): number {
  if (kind.value !== 'othello') return 0;
  return t.path(tree, t.node(tree, id).parent).filter((at) => /^pa/i.test(t.node(tree, at).move)).length;
}

export function MoveList({ variations }: { variations: boolean }) {
  const { tree, at } = table.value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [frame, current] = [box.current, box.current?.querySelector<HTMLElement>('.current')];
    if (!frame) return;
    if (!current) { frame.scrollTop = 0; return; }
    // Only the list scrolls, never the page under the reader's finger.
    const [a, b] = [frame.getBoundingClientRect(), current.getBoundingClientRect()];
    if (b.top < a.top + 8) frame.scrollTop -= a.top + 8 - b.top;
    else if (b.bottom > a.bottom - 8) frame.scrollTop += b.bottom - a.bottom + 8;
  }, [at, tree, judged.value.length]);

  const shift = offset();
  const verdicts = new Map<number, Verdict>();
  const through = t.lineThrough(tree, at);
  for (const j of judged.value) {
    const id = through[j.ply - 1];
    if (j.verdict && id !== undefined) verdicts.set(id, j.verdict);
  }
  const main = t.mainFrom(tree, t.ROOT);
  const rootComment = t.spoken(t.node(tree, t.ROOT).comment).words.trim();
  if (!main.length) return <div class="moves" ref={box}>{rootComment && <p class="comment">{rootComment}</p>}<Nothing>No moves yet.</Nothing></div>;

  const rows: preact.JSX.Element[] = [];
  let open: { number: number; first: preact.JSX.Element | null } | null = null;
  const flush = (second: preact.JSX.Element | null, key: string): void => {
    if (!open) return;
    rows.push(<div class="move-row" key={key}><span class="number">{open.number}</span>{open.first ?? <span class="move gap">…</span>}{second}</div>);
    open = null;
  };
  main.forEach((id, i) => {
    const ply = i + shift;
    const number = single() ? ply + 1 - passesBefore(tree, id) : Math.floor(ply / 2) + 1;
    const item = <Move key={id} id={id} verdict={verdicts.get(id)} />;
    if (ply % 2 === 0) open = { number, first: item };
    else { open ??= { number: single() ? number - 1 : number, first: null }; flush(item, `r${id}`); }
    const { parent } = t.node(tree, id);
    const comment = t.spoken(t.node(tree, id).comment).words.trim();
    const others = variations ? t.node(tree, parent).children.slice(1) : [];
    if ((variations && comment) || others.length) {
      flush(null, `r${id}`);
      rows.push(
        <div class="between" key={`b${id}`}>
          {comment && <p class="comment">{comment}</p>}
          {others.map((other) => <Variation key={other} id={other} ply={ply} verdicts={verdicts} />)}
        </div>,
      );
    }
  });
  flush(null, 'end');
  return <div class="moves" ref={box} tabIndex={0} role="region" aria-label="Moves">{rootComment && <p class="comment">{rootComment}</p>}{rows}</div>;
}

function Move({ id, verdict, prefix }: { id: number; verdict?: Verdict; prefix?: string }) {
  const { tree, at } = table.value;
  const { text, mark, comment } = t.node(tree, id);
  const judgement = signs(comment);
  // What a person says of a move counts more than what the engine says.
  const sign = mark ?? (verdict && SIGNS[verdict]);
  return (
    <button type="button" class={`move${id === at ? ' current' : ''}${verdict ? ` ${verdict}` : ''}`} aria-current={id === at ? 'step' : undefined}
      title={verdict} onClick={() => goTo(id)}>
      {prefix && <span class="number">{prefix}</span>}{text}{sign && <span class="mark">{sign}</span>}{judgement && <span class="judgement"> {judgement}</span>}
    </button>
  );
}

/** Does a comment or a variation stand after this move? */
function interrupted(tree: t.Tree, id: number, varied: boolean): boolean {
  const { comment, parent } = t.node(tree, id);
  return t.spoken(comment).words.trim() !== '' || (varied && t.node(tree, parent).children.length > 1);
}

/** A variation as running text; its own variations in brackets of their own. */
function Variation({ id, ply, verdicts }: { id: number; ply: number; verdicts: ReadonlyMap<number, Verdict> }) {
  const { tree } = table.value;
  const ids = [id, ...t.mainFrom(tree, id)];
  return (
    <div class="variation">
      {ids.map((at, i) => {
        const n = ply + i;
        // After something in between, the reader must be told whose move it is.
        const broken = i === 0 || interrupted(tree, ids[i - 1] ?? at, i > 1);
        const prefix = single() ? `${n + 1 - passesBefore(tree, at)}` : n % 2 === 0 ? `${n / 2 + 1}.` : broken ? `${Math.floor(n / 2) + 1}…` : undefined;
        const { parent } = t.node(tree, at);
        const comment = t.spoken(t.node(tree, at).comment).words.trim();
        const others = i === 0 ? [] : t.node(tree, parent).children.slice(1);
        return (
          <span key={at}>
            <Move id={at} prefix={prefix} verdict={verdicts.get(at)} />
            {comment && <span class="comment"> {comment} </span>}
            {others.map((other) => <Variation key={other} id={other} ply={n} verdicts={verdicts} />)}
          </span>
        );
      })}
    </div>
  );
}
