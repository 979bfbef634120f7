/** How often a race or a random story is repeated by default: enough to fail for what is plainly broken. */
const BY_DEFAULT = 5;

/** Whether everything is repeated in full: what takes minutes on its own runs only then. */
export const isCampaign = process.env.ROUNDS === 'full';

/**
 * The one place that says how often a test repeats itself: a few times by default, as often as ROUNDS says, which never
 * exceeds `full`, or `full` times with ROUNDS=full.
 */
export function rounds(full: number): number {
  const setting = process.env.ROUNDS;
  if (isCampaign) return full;
  const number = Number(setting ?? BY_DEFAULT);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`ROUNDS is a whole number or "full", not ${setting}`);
  return Math.min(full, number);
}
