import type { Cents } from './money.ts';

/** Cents to the decimal text providers use: 1050 → "10.50" (API Pix 2.9.0, `valor`: `\d{1,10}\.\d{2}`). */
export function toDecimal(amount: Cents): string {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new RangeError('amount must be whole cents, not negative');
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Decimal text to cents: "10.50" → 1050; null when the text is not `\d{1,10}\.\d{2}`.
 * Works on the digits, so no binary fraction ever touches the amount.
 */
export function fromDecimal(text: string): Cents | null {
  const match = /^(\d{1,10})\.(\d{2})$/.exec(text);
  return match ? Number(`${match[1]}${match[2]}`) : null;
}

/**
 * The same of what providers write: "10.5" → 1050, "10" → 1000. Null for more than two decimals, because "10.500" may
 * mean ten or ten thousand, and because "10.505" would have to be rounded.
 */
export function readDecimal(text: string): Cents | null {
  const [, whole = '', fraction = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return fromDecimal(`${whole}.${fraction.padEnd(2, '0')}`);
}
