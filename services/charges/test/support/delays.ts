/** Delays from 0 to `max` milliseconds, the same ones in every run. */
export function newDelays(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    // A linear congruential generator (Numerical Recipes); its upper bits are random enough to shuffle with.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * (max + 1));
  };
}
