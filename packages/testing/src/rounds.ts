/**
 * The default number of repetitions of a test that is random or repeats a race. So few repetitions find only
 * obvious faults.
 */
const BY_DEFAULT = 5;

/**
 * True with ROUNDS=full: each test runs its full number of repetitions. A test without `rounds` reads this
 * value to cover more cases.
 */
export const isCampaign = process.env.ROUNDS === 'full';

/**
 * Returns the number of repetitions of a test: ROUNDS or the default number, but at most `full`. With
 * ROUNDS=full, returns `full`. Throws if ROUNDS is neither a positive whole number nor `full`.
 */
export function rounds(full: number): number {
  const setting = process.env.ROUNDS;
  if (isCampaign) return full;
  const number = Number(setting ?? BY_DEFAULT);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`ROUNDS is a whole number or "full", not ${setting}`);
  return Math.min(full, number);
}
