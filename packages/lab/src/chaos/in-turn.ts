/** So many of `all`, others for the next seed: seeds in a row bring all of them about. */
export function inTurn<T>(all: readonly T[], { seed, count }: { seed: number; count: number }): T[] {
  if (count >= all.length) return [...all];
  const begin = (seed * count) % all.length;
  return [...all, ...all].slice(begin, begin + count);
}
