/** Integer cents. Only `decimal.ts` uses the form "10.50". */
export type Cents = number;

export const MIN_AMOUNT: Cents = 100;
export const MAX_AMOUNT: Cents = 99_999_999_999;

const BPS_PER_WHOLE = 10_000;

/**
 * Returns `bps` basis points of `amount`, rounded half up. Exact up to MAX_AMOUNT, because the product stays
 * below 2^53 and the division leaves no fraction. Throws RangeError beyond the safe integers.
 */
export function portion(amount: Cents, bps: number): Cents {
  const scaled = amount * bps + BPS_PER_WHOLE / 2;
  if (!Number.isSafeInteger(scaled)) throw new RangeError('amount × bps is outside the safe integers');
  return (scaled - (scaled % BPS_PER_WHOLE)) / BPS_PER_WHOLE;
}
