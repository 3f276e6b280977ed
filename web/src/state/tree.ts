// A game with its variations: a tree of moves. Every change gives a new tree, so that the page can
// compare the old with the new and nothing is half done.
import { type Mark, MARKS, type RecordNode } from '../api/types';

export interface TreeNode {
  move: string;
  /** The move for people. */
  text: string;
  comment: string;
  /** What somebody thinks of it. */
  mark?: Mark;
  parent: number;
  children: number[];
}

/** Node 0 is the start; a node that was removed is null, so that the others keep their numbers. */
export interface Tree {
  nodes: (TreeNode | null)[];
}

export const ROOT = 0;

export function emptyTree(): Tree {
  return { nodes: [{ move: '', text: '', comment: '', parent: -1, children: [] }] };
}

export function node(tree: Tree, id: number): TreeNode {
  const found = tree.nodes[id];
  if (!found) throw new Error(`no node ${id}`);
  return found;
}

export function exists(tree: Tree, id: number): boolean {
  return !!tree.nodes[id];
}

function change(tree: Tree, id: number, part: Partial<TreeNode>): Tree {
  const nodes = tree.nodes.slice();
  nodes[id] = { ...node(tree, id), ...part };
  return { nodes };
}

/** Plays a move at a node: goes into it if it is there already, and adds it otherwise. */
export function play(tree: Tree, at: number, move: string, text: string = move): { tree: Tree; id: number } {
  const here = node(tree, at);
  const known = here.children.find((child) => node(tree, child).move === move);
  if (known !== undefined) return { tree, id: known };
  const id = tree.nodes.length;
  const grown = change(tree, at, { children: [...here.children, id] });
  grown.nodes.push({ move, text, comment: '', parent: at, children: [] });
  return { tree: grown, id };
}

/** The nodes from the start (not included) to `id` (included). */
export function path(tree: Tree, id: number): number[] {
  const ids: number[] = [];
  for (let at = id; at !== ROOT; at = node(tree, at).parent) ids.push(at);
  return ids.reverse();
}

export function moves(tree: Tree, id: number): string[] {
  return path(tree, id).map((at) => node(tree, at).move);
}

/** The first continuation, again and again, from `id` (not included) to its end. */
export function mainFrom(tree: Tree, id: number): number[] {
  const ids: number[] = [];
  for (let next = node(tree, id).children[0]; next !== undefined; next = node(tree, next).children[0]) ids.push(next);
  return ids;
}

/** The line through `id`: its path and then the first continuations. */
export function lineThrough(tree: Tree, id: number): number[] {
  return [...path(tree, id), ...mainFrom(tree, id)];
}

export function comment(tree: Tree, id: number, text: string): Tree {
  return change(tree, id, { comment: text });
}

/** What a comment says to people, and its commands to programs (`[%clk 0:10:00]`), which are kept but not shown. */
export function spoken(text: string): { words: string; commands: string } {
  const commands = text.match(/\[%[^\]]*\]/g) ?? [];
  if (!commands.length) return { words: text, commands: '' };
  // What is typed behind the commands keeps its last blank; the blanks around commands are nobody's.
  const words = text.replace(/^(?:\s*\[%[^\]]*\])+\s?/, '').replace(/(?:\s*\[%[^\]]*\])+\s*$/, '').replace(/\s*\[%[^\]]*\]\s*/g, ' ');
  return { words, commands: commands.join(' ') };
}

export function mark(tree: Tree, id: number, sign: Mark | undefined): Tree {
  return change(tree, id, { mark: sign });
}

/** Writes the texts of the moves that lead to `id`; the same tree if they are there already. */
export function setTexts(tree: Tree, id: number, texts: string[]): Tree {
  return path(tree, id).reduce((result, at, i) => {
    const text = texts[i];
    return text && node(result, at).text !== text ? change(result, at, { text }) : result;
  }, tree);
}

/** Removes a node and all that follows it. */
export function remove(tree: Tree, id: number): Tree {
  if (id === ROOT) return tree;
  const parent = node(tree, id).parent;
  const cut = change(tree, parent, { children: node(tree, parent).children.filter((child) => child !== id) });
  const doomed = [id];
  for (let at = doomed.pop(); at !== undefined; at = doomed.pop()) {
    doomed.push(...node(tree, at).children);
    cut.nodes[at] = null;
  }
  return cut;
}

/** Makes the variation that leads to `id` the main line. */
export function promote(tree: Tree, id: number): Tree {
  let result = tree;
  for (const at of path(tree, id)) {
    const parent = node(result, at).parent;
    const others = node(result, parent).children.filter((child) => child !== at);
    result = change(result, parent, { children: [at, ...others] });
  }
  return result;
}

/** Follows `line` from the start as far as the tree knows it; null if it does not know all of it. */
export function find(tree: Tree, line: string[]): number | null {
  let at = ROOT;
  for (const move of line) {
    const next = node(tree, at).children.find((child) => node(tree, child).move === move);
    if (next === undefined) return null;
    at = next;
  }
  return at;
}

export function fromMoves(line: string[]): { tree: Tree; end: number } {
  let tree = emptyTree();
  let end = ROOT;
  for (const move of line) ({ tree, id: end } = play(tree, end, move));
  return { tree, end };
}

/** A tree from the nodes of a file; one that follows nothing known is left out. */
export function fromRecord(nodes: RecordNode[]): Tree {
  const tree = emptyTree();
  const root = tree.nodes[ROOT];
  if (root) root.comment = nodes[0]?.comment ?? '';
  // Where each node of the file went.
  const places = new Map<number, number>([[0, ROOT]]);
  nodes.forEach((n, i) => {
    const parent = places.get(n.parent ?? -1);
    if (i === 0 || parent === undefined || !n.move) return;
    const id = tree.nodes.length;
    places.set(i, id);
    tree.nodes.push({ move: n.move, text: n.text ?? n.move, comment: n.comment ?? '', ...(n.mark ? { mark: n.mark } : {}), parent, children: [] });
    tree.nodes[parent]?.children.push(id);
  });
  return tree;
}

/** The nodes of a tree as they are sent, those of the main line of each node first. */
export function toRecord(tree: Tree): RecordNode[] {
  const start = node(tree, ROOT);
  const nodes: RecordNode[] = [start.comment ? { comment: start.comment } : {}];
  const open: { id: number; parent: number }[] = start.children.map((id) => ({ id, parent: 0 })).reverse();
  for (let top = open.pop(); top; top = open.pop()) {
    const { move, comment, mark: sign, children } = node(tree, top.id);
    const parent = nodes.length;
    nodes.push({ parent: top.parent, move, ...(comment ? { comment } : {}), ...(sign ? { mark: sign } : {}) });
    open.push(...children.map((id) => ({ id, parent })).reverse());
  }
  return nodes;
}

/** Is this a tree (and not what an older page, or somebody else, has left in the storage)? */
export function isTree(value: unknown): value is Tree {
  const nodes = (value as Tree | null)?.nodes;
  if (!Array.isArray(nodes) || !nodes[0]) return false;
  return nodes.every((n: TreeNode | null, id) =>
    n === null ||
    (typeof n.move === 'string' && typeof n.text === 'string' && typeof n.comment === 'string' && (n.mark === undefined || MARKS.includes(n.mark)) && Array.isArray(n.children) &&
      n.children.every((child) => nodes[child]?.parent === id && child > id)));
}
