import { hash } from 'node:crypto';

/**
 * A hash of 32 bytes, as a string of 32 characters below U+0100. A string costs half as much as a Buffer, and
 * a Set compares strings by content.
 */
export type Node = string;

const HASH_BYTES = 32;
const STEP_BYTES = 1 + HASH_BYTES;
const ON_THE_LEFT = 0;
const ON_THE_RIGHT = 1;

const pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/**
 * Returns SHA-256 over 0x00 ‖ producer ‖ 0x00 ‖ body, so that a leaf never equals a node or another
 * producer's leaf.
 */
export function leafOf(producer: string, body: Buffer): Node {
  return hash('sha256', Buffer.concat([Buffer.from(`\0${producer}\0`), body]), 'binary');
}

/** Returns SHA-256 over 0x01 ‖ left ‖ right. */
function nodeOf(left: Node, right: Node): Node {
  pair.write(left, 1, 'latin1');
  pair.write(right, 1 + HASH_BYTES, 'latin1');
  return hash('sha256', pair, 'binary');
}

/** The largest number of leaves. The paths of a larger tree would be longer than `isPath` accepts. */
export const MOST_LEAVES = 512;
const MOST_STEPS = Math.log2(MOST_LEAVES);

export interface Tree {
  root: Node;
  /** The path from each leaf to the root, in the order of the leaves. `climb` follows a path. */
  paths: Buffer[];
}

/**
 * Builds the tree of the leaves. Throws RangeError for no leaves or more than MOST_LEAVES. A node without a
 * sibling moves up one level unchanged.
 */
export function treeOf(leaves: readonly Node[]): Tree {
  if (leaves.length === 0 || leaves.length > MOST_LEAVES)
    throw new RangeError(`a tree has 1 to ${MOST_LEAVES} leaves, not ${leaves.length}`);
  const paths = leaves.map(() => '');
  let level = [...leaves];
  for (let depth = 0; level.length > 1; depth += 1) {
    for (const [leaf, path] of paths.entries()) {
      const position = leaf >> depth;
      const sibling = level[position ^ 1];
      if (sibling === undefined) continue;
      paths[leaf] = path + String.fromCharCode(position % 2 === 0 ? ON_THE_RIGHT : ON_THE_LEFT) + sibling;
    }
    level = pairsOf(level);
  }
  const [root] = level;
  if (root === undefined) throw new Error('a level of a tree is never empty');
  return { root, paths: paths.map((path) => Buffer.from(path, 'latin1')) };
}

function pairsOf(level: readonly Node[]): Node[] {
  return level.flatMap((left, position) => {
    if (position % 2 === 1) return [];
    const right = level[position + 1];
    return [right === undefined ? left : nodeOf(left, right)];
  });
}

/**
 * Returns whether the bytes are a path. Each step of a path has the side of the sibling and the sibling's
 * hash.
 */
export function isPath(path: Buffer): boolean {
  if (path.length % STEP_BYTES !== 0 || path.length / STEP_BYTES > MOST_STEPS) return false;
  for (let at = 0; at < path.length; at += STEP_BYTES)
    if (path[at] !== ON_THE_LEFT && path[at] !== ON_THE_RIGHT) return false;
  return true;
}

interface Climbed {
  top: Node;
  passed: Node[];
}

/** Follows a path from a leaf to the first node for which `isEnough` is true, or to the root. */
export function climb(leaf: Node, path: Buffer, isEnough: (node: Node) => boolean): Climbed {
  const passed: Node[] = [];
  let top = leaf;
  for (let at = 0; at < path.length && !isEnough(top); at += STEP_BYTES) {
    const sibling = path.toString('latin1', at + 1, at + STEP_BYTES);
    passed.push(top, sibling);
    top = path[at] === ON_THE_LEFT ? nodeOf(sibling, top) : nodeOf(top, sibling);
  }
  return { top, passed };
}
