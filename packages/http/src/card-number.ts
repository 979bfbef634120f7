import { isCnpj, normalized, Refusal } from '@plataforma/kernel';

/** One to three signs, the same between all groups of a written number. Letters and digits are no signs. */
const SIGNS = '([^\\dA-Za-z]{1,3})';
/** Signs between pairs or single digits. Excludes commas and slashes, which separate sizes of clothes. */
const FEW_SIGNS = '([^\\dA-Za-z,;/|]{1,3})';
/**
 * A card number in one piece, or in groups (4-4-4 and a last group of one to seven digits, 4-6-5, 4-6-4,
 * pairs, single digits). Other groups are ignored, because an order number with a date could have a valid
 * check sum by chance.
 */
const WRITTEN_NUMBER = new RegExp(
  [
    '(?<!\\d)\\d{14,19}(?!\\d)',
    `(?<![\\dA-Za-z])\\d{4}${SIGNS}\\d{4}\\1\\d{4}\\1\\d{1,7}(?!\\d)`,
    `(?<![\\dA-Za-z])\\d{4}${SIGNS}\\d{6}\\2\\d{4,5}(?!\\d)`,
    `(?<![\\dA-Za-z])\\d\\d${FEW_SIGNS}\\d\\d(?:\\3\\d\\d){5,7}(?:\\3\\d)?(?!\\3?\\d)`,
    `(?<![\\dA-Za-z])\\d${FEW_SIGNS}\\d(?:\\4\\d){12,17}(?!\\4?\\d)`,
  ].join('|'),
  'g',
);
/**
 * UUIDs, and hexadecimal words with the length of a database's id or of a digest. They may contain a run of
 * digits like a card number.
 */
const HEXADECIMAL =
  /[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}|(?<![\dA-Fa-f])(?:(?:[\dA-Fa-f]{32}){1,4}|[\dA-Fa-f]{24}|[\dA-Fa-f]{40}|[\dA-Fa-f]{56})(?![\dA-Fa-f])/g;
/**
 * The first digits of card numbers by length (ISO/IEC 7812-1). Diners has 14 digits, American Express 15,
 * most others 16, some of UnionPay, Maestro, JCB and Discover 19. Numbers of 13 digits pass, because no card
 * has 13 digits today, but times in milliseconds do. A valid CNPJ, 14 digits in one piece, passes too.
 */
const ISSUERS: Readonly<Record<number, RegExp>> = {
  14: /^3(?:0[0-5]|095|[689])/,
  15: /^3[47]/,
  16: /^(?:4|5[0-5]|58|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|30[0-5]|3095|3[689]|35(?:2[89]|[3-8])|6011|6[0235-7]|64[4-9])/,
  19: /^(?:5018|5020|5038|5893|6011|62|6304|64[4-9]|65|6759|676[1-3]|35(?:2[89]|[3-8]))/,
};

/**
 * Invisible characters: format characters, combining marks, and control characters except tabs and line ends.
 */
const UNSEEN = /[\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]|(?![\t-\r])\p{Cc}/gu;
const DIGITS_OF_OTHER_SCRIPTS = /[^0-9\P{Nd}]+/gu;
const LETTERS_OF_OTHER_SCRIPTS = /[^\p{ASCII}\P{L}]+/gu;
/** A text of white space and printable ASCII, which needs no normalization. */
const PLAIN = /^[\t-\r -~]*$/;
const DASH = /[\p{Pd}\u2212]/gu;

/**
 * Fields with long numbers that are no card numbers. One in ten of these numbers has the valid check sum of a
 * card.
 */
const NUMBERS_OF_OTHER_KINDS = new Set([
  'cnpj',
  'payerDocument',
  'holderDocument',
  'phone',
  'payerPhone',
  'pixKey',
  'account',
  'id',
  'txid',
]);

/**
 * Returns true for a field of `NUMBERS_OF_OTHER_KINDS`, and for ids such as `chargeId`. `externalId` is
 * excluded, because it holds the merchant's own text.
 */
function isOfAnotherKind(field: string): boolean {
  return NUMBERS_OF_OTHER_KINDS.has(field) || (field !== 'externalId' && /[a-z]Id$/.test(field));
}

/**
 * Refuses a body with a card number in any name or value, so that no log or database stores a card number.
 * Only the tokenization endpoint takes card numbers. The message names the field and never the number.
 */
export function refuseCardNumbers(body: unknown): void {
  // The loop appends to the list that it reads. A recursive function would overflow the stack for a deeply
  // nested body of 100 KiB.
  const values: FieldValue[] = [{ field: 'body', value: body }];
  for (const { field, value } of values) {
    if (typeof value === 'object' && value !== null) {
      for (const part of partsOf(value, field)) values.push(part);
    } else refuseCardNumber(field, String(value));
  }
}

/** Refuses a text that holds a card number. The message names the field or header of the text. */
export function refuseCardNumber(field: string, text: string): void {
  if (!containsCardNumber(text, field)) return;
  const message = `${field}: holds a card number; send the card to the tokenization endpoint and its token here`;
  throw new Refusal('invalid', 'VALIDATION_ERROR', message);
}

interface FieldValue {
  field: string;
  value: unknown;
}

/**
 * Returns the values of a list, or the names and values of an object. A value in `metadata` keeps the field
 * `metadata`, because its own name is free text and must not exempt the value from the check.
 */
function partsOf(whole: object, field: string): FieldValue[] {
  if (Array.isArray(whole)) return whole.map((value) => ({ field, value }));
  return Object.entries(whole).flatMap(([name, value]) => [
    { field, value: name },
    { field: field === 'metadata' ? field : name, value },
  ]);
}

/**
 * The minimum length of a text with a card number. The shortest number has 14 digits, and one character, such
 * as a circled 14, may stand for two digits.
 */
const SHORTEST_NUMBER = 7;

function containsCardNumber(text: string, field: string): boolean {
  if (text.length < SHORTEST_NUMBER || isOfAnotherKind(field)) return false;
  return (inPlainDigits(text).replace(HEXADECIMAL, ' ').match(WRITTEN_NUMBER) ?? [])
    .filter((number) => !isCnpj(number) && !isSeries(number))
    .map((number) => number.replace(/\D/g, ''))
    .some(isCardNumber);
}

/** Returns true for numbers with equal steps between them, such as the sizes 26 28 30 32 34 36 38 40. */
function isSeries(written: string): boolean {
  const [first = 0, second = 0, ...others] = written.split(/\D+/).filter(Boolean).map(Number);
  return others.length > 0 && others.every((each, index) => each - first === (index + 2) * (second - first));
}

/**
 * Returns the text with the digits of all scripts and fonts in ASCII. Replaces each run of other letters by
 * one letter, because normalization may turn one letter into eighteen characters.
 */
function inPlainDigits(text: string): string {
  if (PLAIN.test(text)) return text;
  return normalized(text.replace(UNSEEN, '').replace(LETTERS_OF_OTHER_SCRIPTS, 'é'), 'NFKC')
    .replace(UNSEEN, '')
    .replace(DIGITS_OF_OTHER_SCRIPTS, (digits) => Array.from(digits, digitValue).join(''))
    .replace(DASH, '-');
}

const digitValues = new Map<string, number>();

/**
 * Returns the value of a decimal digit of any script. Unicode gives the ten digits of each script consecutive
 * code points, from zero to nine (chapter 4.6).
 */
function digitValue(digit: string): number {
  const cached = digitValues.get(digit);
  if (cached !== undefined) return cached;
  const codePoint = digit.codePointAt(0) ?? 0;
  let first = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  const value = (codePoint - first) % 10;
  digitValues.set(digit, value);
  return value;
}

/**
 * Checks the length, the first digits and the check sum of a number (Luhn's formula, ISO/IEC 7812-1, annex
 * B).
 */
function isCardNumber(digits: string): boolean {
  if (!ISSUERS[digits.length]?.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.at(-1 - index));
    const weighed = index % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}
