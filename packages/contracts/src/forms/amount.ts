/**
 * An amount in the Brazilian format: `1.234,56`, `1.500` and `10,5`. A point before three digits always
 * separates thousands.
 */
const BRAZILIAN = /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,(?<cents>\d{1,2}))?$/;
/** An amount in the English format that cannot be Brazilian: `1,234.50`, `1234.5` and `1,234,567`. */
const ENGLISH = /^(?:(?:\d{1,3}(?:,\d{3})+|\d+)\.(?<cents>\d{1,2})|\d{1,3}(?:,\d{3}){2,})$/;

/** The number of digits of the largest amount in cents. */
const MAX_DIGITS = 11;

/** Returns the cents of an amount that a person typed or pasted, or null if the text is not an amount. */
export function centsIn(text: string): number | null {
  const bare = text.replace(/R\$|[\s\p{Cf}]/gu, '');
  const amount = BRAZILIAN.exec(bare) ?? ENGLISH.exec(bare);
  if (!amount) return null;
  const { cents = '' } = amount.groups ?? {};
  const whole = cents === '' ? bare : bare.slice(0, -cents.length - 1);
  const digits = whole.replace(/\D/g, '') + cents.padEnd(2, '0');
  return digits.length > MAX_DIGITS ? null : Number(digits);
}
