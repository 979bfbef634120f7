/** The result of a payment with the card; a late one follows after no answer. */
export type CardOutcome =
  | 'APPROVED'
  | 'INSUFFICIENT_FUNDS'
  | 'EXPIRED_CARD'
  | 'SUSPECTED_FRAUD'
  | 'LATE_APPROVED'
  | 'LATE_DECLINED';

/** The only stored data of a card. */
export interface TestCard {
  brand: string;
  firstSix: string;
  lastFour: string;
  outcome: CardOutcome;
}

/** Numbers with a fixed result; every other number of the test range is approved. */
export const magicNumbers: ReadonlyMap<string, CardOutcome> = new Map([
  ['4000000000000010', 'APPROVED'],
  ['4000000000000028', 'INSUFFICIENT_FUNDS'],
  ['4000000000000036', 'EXPIRED_CARD'],
  ['4000000000000044', 'SUSPECTED_FRAUD'],
  ['4000000000000051', 'LATE_APPROVED'],
  ['4000000000000069', 'LATE_DECLINED'],
]);

/** Numbers that card schemes and acquirers publish for tests, and that no bank issues. All are approved. */
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

/** Returns undefined for any number that is no test card, because a real card must not be stored here. */
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

/** Whether the card has expired; it is valid to the end of its month. */
export function isExpired({ month, year }: { month: number; year: number }, now: Date): boolean {
  return Date.UTC(year, month) <= now.getTime();
}
