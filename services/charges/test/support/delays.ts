/**
 * Returns a function that returns random delays from 0 to `max` milliseconds. The same seed gives the same
 * delays in every run.
 */
export function newDelays(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    // A linear congruential generator (Numerical Recipes). Only its upper bits are used, because they are
    // random enough.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * (max + 1));
  };
}
