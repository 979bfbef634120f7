/** The default repetitions of a race or random test; enough to find an obvious fault. */
const BY_DEFAULT = 5;

/** Whether tests repeat in full. Tests that take minutes run only then. */
export const isCampaign = process.env.ROUNDS === 'full';

/**
 * Returns how often a test repeats: the default or ROUNDS, at most `full`; with ROUNDS=full exactly `full`.
 * Throws if ROUNDS is neither a positive whole number nor `full`.
 */
export function rounds(full: number): number {
  const setting = process.env.ROUNDS;
  if (isCampaign) return full;
  const number = Number(setting ?? BY_DEFAULT);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`ROUNDS is a whole number or "full", not ${setting}`);
  return Math.min(full, number);
}
