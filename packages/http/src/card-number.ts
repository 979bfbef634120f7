import { isCnpj, normalized, Refusal } from '@plataforma/kernel';

/**
 * A card number as people write it: in one piece, or in groups (4-4-4 and one to seven more, 4-6-5, 4-6-4).
 * An order number with a date could pass the check sum by chance, so other groupings are ignored.
 */
const WRITTEN_NUMBER =
  /(?<!\d)\d{14,19}(?!\d)|(?<![\dA-Za-z])\d{4}(?:([ ._/:-])\d{4}\1\d{4}\1\d{1,7}|([ ._/:-])\d{6}\2\d{4,5})(?!\d)/g;
/** UUIDs and long hexadecimal words (digests and tokens), which may contain such runs of digits. */
const HEXADECIMAL = /[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}|(?<![\dA-Fa-f])[\dA-Fa-f]{24,}/g;
/**
 * First digits by length, from ISO/IEC 7812-1 and the brands: Diners 14, American Express 15, most others 16.
 * Some of UnionPay, Maestro, JCB and Discover have 19. No card has 13 today, so order numbers made of a time
 * in milliseconds pass. Fourteen digits in one piece with the check digits of a CNPJ are a CNPJ and pass.
 */
const ISSUERS: Readonly<Record<number, RegExp>> = {
  14: /^3(?:0[0-5]|095|[689])/,
  15: /^3[47]/,
  16: /^(?:4|5[0-5]|58|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|30[0-5]|3095|3[689]|35(?:2[89]|[3-8])|6011|6[0235-7]|64[4-9])/,
  19: /^(?:5018|5020|5038|5893|6011|62|6304|64[4-9]|65|6759|676[1-3]|35(?:2[89]|[3-8]))/,
};

/** Invisible characters: format characters, combining marks, and controls except tabs and line ends. */
const UNSEEN = /[\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]|(?![\t-\r])\p{Cc}/gu;
const DIGITS_OF_OTHER_SCRIPTS = /[^0-9\P{Nd}]+/gu;
const LETTERS_OF_OTHER_SCRIPTS = /[^\p{ASCII}\P{L}]+/gu;
/** White space and printable ASCII, which need no normalization. */
const PLAIN = /^[\t-\r -~]*$/;
const DASH = /[\p{Pd}\u2212]/gu;

/** Fields of other long numbers, of which one in ten passes the check sum of a card. */
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
 * Includes ids such as `chargeId` or `endToEndId`, but not `externalId`, which is the merchant's own text.
 */
function isOfAnotherKind(field: string): boolean {
  return NUMBERS_OF_OTHER_KINDS.has(field) || (field !== 'externalId' && /[a-z]Id$/.test(field));
}

/**
 * Refuses a body with a card number in any name or value, so that no log or database here stores one. Only
 * the tokenization endpoint takes card numbers. The message names the field and never the number.
 */
export function refuseCardNumbers(body: unknown): void {
  // The loop extends its own list, because a body of 100 KiB may nest deeper than a recursion can go.
  const values: FieldValue[] = [{ field: 'body', value: body }];
  for (const { field, value } of values) {
    if (typeof value === 'object' && value !== null) {
      for (const part of partsOf(value, field)) values.push(part);
    } else refuseCardNumber(field, String(value));
  }
}

/** Refuses a text that holds a card number; the message names its field or header. */
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
 * Lists the values and the names in a list or an object. Values in `metadata` keep that field, because a name
 * that the merchant chose must exempt no value.
 */
function partsOf(whole: object, field: string): FieldValue[] {
  if (Array.isArray(whole)) return whole.map((value) => ({ field, value }));
  return Object.entries(whole).flatMap(([name, value]) => [
    { field, value: name },
    { field: field === 'metadata' ? field : name, value },
  ]);
}

/**
 * Half of the 14 digits of the shortest card number, because one character, such as a circled 14, may stand
 * for two digits.
 */
const SHORTEST_NUMBER = 7;

function containsCardNumber(text: string, field: string): boolean {
  if (text.length < SHORTEST_NUMBER || isOfAnotherKind(field)) return false;
  return (inPlainDigits(text).replace(HEXADECIMAL, ' ').match(WRITTEN_NUMBER) ?? [])
    .filter((number) => !isCnpj(number))
    .map((number) => number.replace(/\D/g, ''))
    .some(isCardNumber);
}

/**
 * Returns a text as a reader sees its numbers, with digits of all scripts and fonts in ASCII. A run of
 * letters of other scripts becomes one letter, because some letters normalize to eighteen characters.
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
 * Returns the value of a decimal digit. Unicode encodes the digits of each script in one row, from zero to
 * nine (chapter 4.6).
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

/** Checks the length, the issuer and the check sum (Luhn's formula, ISO/IEC 7812-1, annex B). */
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
