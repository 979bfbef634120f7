/** Returns delays from 0 to `max` milliseconds, which are the same in every run. */
export function newDelays(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    // A linear congruential generator (Numerical Recipes), whose upper bits are random enough for shuffling.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * (max + 1));
  };
}
