/** Secrets without a shape of their own, by the names of their fields. */
export const secretFields = [
  'authorization',
  'companyName',
  'cookie',
  'currentPassword',
  'holderName',
  'key',
  'newPassword',
  'password',
  'payeeName',
  'payerName',
  'phone',
  'pixKey',
  'refreshToken',
  'secret',
] as const;

const named = secretFields.join('|');
const namedFields: readonly [RegExp, string][] = [
  [new RegExp(`"(${named})"\\s*:\\s*"(?:[^"\\\\]|\\\\.)*"`, 'g'), '"$1":"***"'],
  // In JSON that stands as a text in JSON: each quote and each backslash has one backslash more.
  [
    new RegExp(`\\\\"(${named})\\\\"\\s*:\\s*\\\\"(?:[^"\\\\]|\\\\\\\\(?:\\\\.|[^"\\\\]))*\\\\"`, 'g'),
    '\\"$1\\":\\"***\\"',
  ],
];

type Instead = string | ((match: string, end?: string) => string);

/**
 * Replaces a match that has its end, and leaves another as it is. A match without its end is consumed all the same, so
 * that no other match begins inside of it and the time stays linear.
 */
const withEnd = (instead: string) => (match: string, end?: string) => (end === undefined ? match : instead);

/** Shapes of what may never be written anywhere, wherever in a text they stand; each takes linear time. */
const secrets: readonly [RegExp, Instead][] = [
  ...namedFields,
  [/(?<![\dA-Za-z])sk_(live|sandbox)_\w+/g, 'sk_$1_***'],
  [/(?<![\dA-Za-z])whsec_[\w+/=-]+/g, 'whsec_***'],
  [/(?<![\dA-Za-z])eyJ[\w-]{10,}(\.[\w-]{10,}\.[\w-]{10,})?/g, withEnd('[token]')],
  [/(?<![\dA-Za-z])(Bearer|Basic) [\w.~+/-]{8,}=*/gi, '$1 [token]'],
  [/\$argon2\w+\$[\w$=,+/.-]+/g, '[hash]'],
  [/(?<=:\/\/)[^\s/@:]*:[^\s/@]+(?=@)/g, '[credentials]'],
  [/[\w.!#$&'*+=?^`{|}~-]+(@[\w-]+(?:\.[\w-]+)+)?/g, withEnd('[e-mail]')],
];

/**
 * Impersonal ids with long runs of digits by chance: UUIDs, digests and the ids of traces, which are
 * hexadecimal words of whole groups of eight, and the end-to-end id of a Pix, with its date.
 */
const idShapes = [
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/,
  /(?=\d*[a-f])(?:[\da-f]{8}){2,8}/,
  /[ED]\d{8}20\d{10}[\da-z]{11}/,
].map(({ source }) => source);
const IDS = new RegExp(`(?<![\\da-z])(${idShapes.join('|')})(?![\\da-z])`, 'i');

/**
 * Shapes of numbers, wherever they stand: after a hyphen, an underscore or a letter as well. The same blank, dot or
 * hyphen is asked for in both places of a CPF or CNPJ, and no dot in a phone: a decimal fraction in JSON has one.
 */
const numbers: readonly [RegExp, string][] = [
  [/\+\d{11,15}\b/g, '[phone]'],
  // A number of JSON's own needs quotes to stay readable.
  [/(?<=[^\\]":)-?(?=\d*\.?\d{10})\d+(?:\.\d+)?(?:[Ee][+-]?\d+)?(?=[,}])/g, '"[number]"'],
  [/(?<!\d)(?:\d{4}[ .-]){3}\d{1,7}(?!\d)/g, '[number]'],
  [/\d{10,}/g, '[number]'],
  [/(?<!\d)\d{3}([ .-]?)\d{3}\1\d{3}[ -]?\d{2}(?!\d)/g, '[document]'],
  [/(?<!\d)\d{2}(\.?)\d{3}\1\d{3}[ /-]?\d{4}[ -]?\d{2}(?!\d)/g, '[document]'],
  // With letters: a path has such a shape, too, but for the digit.
  [
    /(?<![\da-z])(?=[a-z.]{0,9}\d)[\da-z]{2}(\.?)[\da-z]{3}\1[\da-z]{3}\/[\da-z]{4}-\d{2}(?!\d)/gi,
    '[document]',
  ],
  [/(?<![\dA-Za-z])(?=\d*[A-Z])(?=[A-Z]*\d)[\dA-Z]{12}\d{2}(?![\dA-Za-z])/g, '[document]'],
  // In small letters a word may end in its year: a CNPJ has the digits of its establishment and its check digits.
  [/(?<![\da-z])(?=[\da-z]{12}\d{2}(?![\da-z]))(?:[a-z]*\d){6}[\da-z]*/gi, '[document]'],
  [
    /(?<!\d)(?:\+?55[ -]?)?(?:\(\d{2}\)[ -]?9?\d{4}[ -]?\d{4}|\d{2}[ -]?(?:9?\d{4}[ -]|9\d{4})\d{4})(?!\d)/g,
    '[phone]',
  ],
];

/** The text with names, documents, keys, tokens, e-mail addresses, phones and long numbers taken out. */
export function mask(text: string): string {
  // Every second piece is an id.
  return without(secrets, text)
    .split(IDS)
    .map((piece, index) => (index % 2 === 1 ? piece : without(numbers, piece)))
    .join('');
}

/** A text that a person wrote: what is known by its shape is masked, a name among it is not. */
export function wordsOf(text: string | null): string | null {
  return text === null ? null : mask(text);
}

function without(shapes: readonly [RegExp, Instead][], text: string): string {
  return shapes.reduce(
    (masked, [shape, instead]) =>
      typeof instead === 'string' ? masked.replace(shape, instead) : masked.replace(shape, instead),
    text,
  );
}
