/**
 * The result of a payment with the card. With a `LATE_` result, the first request gets no answer and the
 * charge ends later.
 */
export type CardOutcome =
  | 'APPROVED'
  | 'INSUFFICIENT_FUNDS'
  | 'EXPIRED_CARD'
  | 'SUSPECTED_FRAUD'
  | 'LATE_APPROVED'
  | 'LATE_DECLINED';

/** The stored data of a card. The number, the security code and the expiry date are never stored. */
export interface TestCard {
  brand: string;
  firstSix: string;
  lastFour: string;
  outcome: CardOutcome;
}

/** Card numbers with a fixed result. Payments with every other number of the test range are approved. */
export const magicNumbers: ReadonlyMap<string, CardOutcome> = new Map([
  ['4000000000000010', 'APPROVED'],
  ['4000000000000028', 'INSUFFICIENT_FUNDS'],
  ['4000000000000036', 'EXPIRED_CARD'],
  ['4000000000000044', 'SUSPECTED_FRAUD'],
  ['4000000000000051', 'LATE_APPROVED'],
  ['4000000000000069', 'LATE_DECLINED'],
]);

/**
 * Card numbers that card brands and acquirers publish for tests. No bank issues these numbers, and all
 * payments with them are approved.
 */
export const publishedNumbers: ReadonlyMap<string, string> = new Map([
  ['4111111111111111', 'Visa'],
  ['4012888888881881', 'Visa'],
  ['4242424242424242', 'Visa'],
  ['5555555555554444', 'Mastercard'],
  ['5105105105105100', 'Mastercard'],
  ['2223003122003222', 'Mastercard'],
  ['378282246310005', 'Amex'],
  ['371449635398431', 'Amex'],
  ['6011111111111117', 'Discover'],
  ['30569309025904', 'Diners'],
  ['3530111333300000', 'JCB'],
  ['6362970000457013', 'Elo'],
  ['6062826786276634', 'Hipercard'],
]);

const TEST_RANGE = /^400000\d{10}$/;

/**
 * Returns the test card with this number; undefined for any other number, because the data of a real card
 * must not be stored here.
 */
export function testCardOf(number: string): TestCard | undefined {
  const brand = TEST_RANGE.test(number) && isLuhnValid(number) ? 'Visa' : publishedNumbers.get(number);
  if (brand === undefined) return undefined;
  const outcome = magicNumbers.get(number) ?? 'APPROVED';
  return { brand, firstSix: number.slice(0, 6), lastFour: number.slice(-4), outcome };
}

/** Checks the Luhn digit (ISO/IEC 7812-1, annex B). */
export function isLuhnValid(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Returns true if the card has expired. A card is valid until the end of its expiry month. */
export function isExpired({ month, year }: { month: number; year: number }, now: Date): boolean {
  return Date.UTC(year, month) <= now.getTime();
}
