// A game with its variations: a tree of moves. Every change gives a new tree, so that the page can
// compare the old with the new and nothing is half done.
import type { RecordNode } from '../api/types';

export interface TreeNode {
  move: string;
  /** The move for people. */
  text: string;
  comment: string;
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

export function fromRecord(record: RecordNode): Tree {
  const nodes: TreeNode[] = [{ move: '', text: '', comment: record.comment ?? '', parent: -1, children: [] }];
  // A stack of its own: a long game would overflow that of the browser.
  const open: { record: RecordNode; id: number }[] = [{ record, id: ROOT }];
  for (let top = open.pop(); top; top = open.pop()) {
    for (const child of top.record.children) {
      const id = nodes.length;
      nodes.push({ move: child.move ?? '', text: child.text ?? child.move ?? '', comment: child.comment ?? '', parent: top.id, children: [] });
      nodes[top.id]?.children.push(id);
      open.push({ record: child, id });
    }
  }
  return { nodes };
}

/** Is this a tree (and not what an older page, or somebody else, has left in the storage)? */
export function isTree(value: unknown): value is Tree {
  const nodes = (value as Tree | null)?.nodes;
  if (!Array.isArray(nodes) || !nodes[0]) return false;
  return nodes.every((n: TreeNode | null, id) =>
    n === null ||
    (typeof n.move === 'string' && typeof n.text === 'string' && typeof n.comment === 'string' && Array.isArray(n.children) &&
      n.children.every((child) => nodes[child]?.parent === id && child > id)));
}
