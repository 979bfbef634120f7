import { createHash } from 'node:crypto';

/** Random values that can be reproduced: the same seed gives the same values on every machine. */
export interface Dice {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer from `from` to `to`, both inclusive. */
  int(from: number, to: number): number;
  /** Returns true once in `throws` calls on average. */
  oneIn(throws: number): boolean;
  /** Returns a random item. Throws for an empty list. */
  pick<T>(of: readonly T[]): T;
  /** Returns a random item. The probability of each item is proportional to its weight. */
  weighted<T>(of: readonly { weight: number; value: T }[]): T;
  uuid(): string;
  /** Returns random values that depend only on the seed and the name, and not on earlier calls. */
  named(name: string): Dice;
}

export function diceOf(seed: number | string): Dice {
  const next = generator(seed);
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));

  function pick<T>(of: readonly T[]): T {
    const picked = of[int(0, of.length - 1)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  return {
    next,
    int,
    pick,
    oneIn: (throws) => int(1, throws) === 1,
    weighted(of) {
      let left = next() * of.reduce((sum, { weight }) => sum + weight, 0);
      const found = of.find(({ weight }) => {
        left -= weight;
        return left < 0;
      });
      return (found ?? pick(of)).value;
    },
    uuid() {
      const hex = Array.from({ length: 32 }, () => int(0, 15).toString(16)).join('');
      const variant = 'ab89'[int(0, 3)];
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `4${hex.slice(13, 16)}`,
        `${variant}${hex.slice(17, 20)}`,
        hex.slice(20),
      ].join('-');
    },
    named: (name) => diceOf(`${seed}/${name}`),
  };
}

/** The random generator sfc32 by Chris Doty-Humphrey (PractRand). A hash of the seed is its first state. */
function generator(seed: number | string): () => number {
  const hash = createHash('sha256').update(String(seed)).digest();
  let [a, b, c, d] = [hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8), 1];
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
