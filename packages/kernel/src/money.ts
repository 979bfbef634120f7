/** Money is a whole number of cents everywhere; only `decimal.ts` knows the form "10.50". */
export type Cents = number;

export const MIN_AMOUNT: Cents = 100;
export const MAX_AMOUNT: Cents = 99_999_999_999;

const BPS_PER_WHOLE = 10_000;

/**
 * The share of `amount` that `bps` basis points make, rounded half up.
 * Exact for every amount up to MAX_AMOUNT: the product stays below 2^53 and the division leaves no fraction.
 */
export function portion(amount: Cents, bps: number): Cents {
  const scaled = amount * bps + BPS_PER_WHOLE / 2;
  if (!Number.isSafeInteger(scaled)) throw new RangeError('amount × bps leaves the safe integers');
  return (scaled - (scaled % BPS_PER_WHOLE)) / BPS_PER_WHOLE;
}
