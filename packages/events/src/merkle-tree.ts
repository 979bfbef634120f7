import { hash } from 'node:crypto';

/** SHA-256 over 0x00 ‖ producer ‖ 0x00 ‖ body: no leaf is the same as a node, or as a leaf of another producer. */
export function leafOf(producer: string, body: Buffer): Buffer {
  return hash('sha256', Buffer.concat([ZERO, Buffer.from(producer), ZERO, body]), 'buffer');
}

/** SHA-256 over 0x01 ‖ left ‖ right. */
export function nodeOf(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([ONE, left, right]), 'buffer');
}

const ZERO = Buffer.of(0);
const ONE = Buffer.of(1);
const HASH_BYTES = 32;
const STEP_BYTES = 1 + HASH_BYTES;
const ON_THE_LEFT = 0;
const ON_THE_RIGHT = 1;

/** More leaves than this have longer paths than `stepsOf` reads. */
export const MOST_LEAVES = 512;
const MOST_STEPS = Math.log2(MOST_LEAVES);

export interface Tree {
  root: Buffer;
  /** How to get from each leaf to the root, in the order of the leaves: `stepsOf` reads it. */
  paths: Buffer[];
}

/** Throws for no leaf, and for more than MOST_LEAVES. A node without a sibling is its own parent. */
export function treeOf(leaves: readonly Buffer[]): Tree {
  if (leaves.length === 0 || leaves.length > MOST_LEAVES)
    throw new RangeError(`a tree has 1 to ${MOST_LEAVES} leaves, not ${leaves.length}`);
  const steps: Buffer[][] = leaves.map(() => []);
  let level = [...leaves];
  for (let depth = 0; level.length > 1; depth += 1) {
    for (const [leaf, path] of steps.entries()) {
      const position = leaf >> depth;
      const sibling = level[position ^ 1];
      if (!sibling) continue;
      path.push(Buffer.of(position % 2 === 0 ? ON_THE_RIGHT : ON_THE_LEFT), sibling);
    }
    level = pairsOf(level);
  }
  const [root] = level;
  if (!root) throw new Error('a level of a tree is never empty');
  return { root, paths: steps.map((path) => Buffer.concat(path)) };
}

function pairsOf(level: readonly Buffer[]): Buffer[] {
  return level.flatMap((left, position) => {
    if (position % 2 === 1) return [];
    const right = level[position + 1];
    return [right ? nodeOf(left, right) : left];
  });
}

export interface Step {
  sibling: Buffer;
  isLeft: boolean;
}

/** A path, read; undefined for what is none. */
export function stepsOf(path: Buffer): Step[] | undefined {
  if (path.length % STEP_BYTES !== 0 || path.length / STEP_BYTES > MOST_STEPS) return undefined;
  const steps: Step[] = [];
  for (let at = 0; at < path.length; at += STEP_BYTES) {
    const side = path[at];
    if (side !== ON_THE_LEFT && side !== ON_THE_RIGHT) return undefined;
    steps.push({ sibling: path.subarray(at + 1, at + STEP_BYTES), isLeft: side === ON_THE_LEFT });
  }
  return steps;
}
