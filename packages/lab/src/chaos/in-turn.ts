/**
 * Returns `count` consecutive items. The first depends on the seed, so that consecutive seeds cover all
 * items.
 */
export function inTurn<T>(all: readonly T[], { seed, count }: { seed: number; count: number }): T[] {
  if (count >= all.length) return [...all];
  const begin = (seed * count) % all.length;
  return [...all, ...all].slice(begin, begin + count);
}
