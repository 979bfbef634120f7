import { randomInt } from 'node:crypto';

export interface Random {
  /**
   * The seed of the random numbers. A run with this seed in the environment variable SEED repeats the
   * numbers.
   */
  seed: number;
  below(limit: number): number;
  oneOf<T>(things: readonly T[]): T;
  shuffled<T>(things: readonly T[]): T[];
}

/** Creates a generator of pseudo-random numbers (mulberry32). The same seed gives the same numbers. */
export function seeded(seed = Number(process.env.SEED ?? randomInt(2 ** 31))): Random {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    seed,
    below,
    oneOf(things) {
      const thing = things[below(things.length)];
      if (thing === undefined) throw new RangeError('one of nothing');
      return thing;
    },
    shuffled: (things) =>
      things
        .map((thing) => ({ thing, place: below(2 ** 31) }))
        .sort((a, b) => a.place - b.place)
        .map(({ thing }) => thing),
  };
}
