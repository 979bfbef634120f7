import { createHash } from 'node:crypto';

/** Chance that repeats: the same seed throws the same, on any machine. */
export interface Dice {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number of `from` to `to`, both included. */
  int(from: number, to: number): number;
  /** True once in so many throws. */
  oneIn(throws: number): boolean;
  /** Throws on an empty list. */
  pick<T>(of: readonly T[]): T;
  /** Each as often as its weight says. */
  weighted<T>(of: readonly { weight: number; value: T }[]): T;
  /** In the form of a version 4 UUID. */
  uuid(): string;
  /**
   * Other dice, whose throws depend on the seed and this name only: whoever has dice of his own is not disturbed by how
   * often others throw theirs.
   */
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

/** sfc32 of Chris Doty-Humphrey (PractRand), begun with a hash of the seed. */
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
