import type { Cents } from './money.ts';

/**
 * Converts cents to the decimal text of providers: 1050 → "10.50" (API Pix 2.9.0, `valor`:
 * `\d{1,10}\.\d{2}`). Throws RangeError for negative or fractional cents.
 */
export function toDecimal(amount: Cents): string {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new RangeError('amount must be whole cents, not negative');
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Converts decimal text to cents: "10.50" → 1050. Returns null when the text is not `\d{1,10}\.\d{2}`. Uses
 * no floating-point arithmetic, which could change the amount.
 */
export function fromDecimal(text: string): Cents | null {
  const match = /^(\d{1,10})\.(\d{2})$/.exec(text);
  return match ? Number(`${match[1]}${match[2]}`) : null;
}

/**
 * Converts the decimal text of a provider: "10.5" → 1050, "10" → 1000. Returns null for three or more
 * decimals, because "10.500" may mean ten or ten thousand, and "10.505" would need rounding.
 */
export function readDecimal(text: string): Cents | null {
  const [, whole = '', fraction = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return fromDecimal(`${whole}.${fraction.padEnd(2, '0')}`);
}
