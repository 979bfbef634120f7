/** Field names of secrets that have no recognisable shape. */
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
  // Matches JSON inside a JSON text, where each quote and backslash has one more backslash.
  [
    new RegExp(`\\\\"(${named})\\\\"\\s*:\\s*\\\\"(?:[^"\\\\]|\\\\\\\\(?:\\\\.|[^"\\\\]))*\\\\"`, 'g'),
    '\\"$1\\":\\"***\\"',
  ],
];

type Instead = string | ((match: string, end?: string) => string);

/**
 * Replaces a match that is complete, and keeps an incomplete one. The pattern consumes incomplete matches as
 * well, so that no other match begins inside and the time stays linear.
 */
const withEnd = (instead: string) => (match: string, end?: string) => (end === undefined ? match : instead);

/** Shapes of secrets, anywhere in a text. Each takes linear time. */
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
 * Impersonal ids with long runs of digits: UUIDs, digests, trace ids and the end-to-end id of a Pix. Digests
 * and trace ids are hexadecimal words of whole groups of eight.
 */
const idShapes = [
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/,
  /(?=\d*[a-f])(?:[\da-f]{8}){2,8}/,
  /[ED]\d{8}20\d{10}[\da-z]{11}/,
].map(({ source }) => source);
const IDS = new RegExp(`(?<![\\da-z])(${idShapes.join('|')})(?![\\da-z])`, 'i');

/**
 * Shapes of numbers, even after a hyphen, an underscore or a letter. A CPF or CNPJ has the same separator
 * twice. A phone has no dot, because a decimal fraction has one.
 */
const numbers: readonly [RegExp, string][] = [
  [/\+\d{11,15}\b/g, '[phone]'],
  // The replacement of a JSON number has quotes, so that the line stays valid JSON.
  [/(?<=[^\\]":)-?(?=\d*\.?\d{10})\d+(?:\.\d+)?(?:[Ee][+-]?\d+)?(?=[,}])/g, '"[number]"'],
  [/(?<!\d)(?:\d{4}[ .-]){3}\d{1,7}(?!\d)/g, '[number]'],
  [/\d{10,}/g, '[number]'],
  [/(?<!\d)\d{3}([ .-]?)\d{3}\1\d{3}[ -]?\d{2}(?!\d)/g, '[document]'],
  [/(?<!\d)\d{2}(\.?)\d{3}\1\d{3}[ /-]?\d{4}[ -]?\d{2}(?!\d)/g, '[document]'],
  // An alphanumeric CNPJ. A path may have the same shape, so one digit is required.
  [
    /(?<![\da-z])(?=[a-z.]{0,9}\d)[\da-z]{2}(\.?)[\da-z]{3}\1[\da-z]{3}\/[\da-z]{4}-\d{2}(?!\d)/gi,
    '[document]',
  ],
  [/(?<![\dA-Za-z])(?=\d*[A-Z])(?=[A-Z]*\d)[\dA-Z]{12}\d{2}(?![\dA-Za-z])/g, '[document]'],
  // A word in small letters may end in a year. A CNPJ has at least six digits: its establishment and its
  // check digits.
  [/(?<![\da-z])(?=[\da-z]{12}\d{2}(?![\da-z]))(?:[a-z]*\d){6}[\da-z]*/gi, '[document]'],
  [
    /(?<!\d)(?:\+?55[ -]?)?(?:\(\d{2}\)[ -]?9?\d{4}[ -]?\d{4}|\d{2}[ -]?(?:9?\d{4}[ -]|9\d{4})\d{4})(?!\d)/g,
    '[phone]',
  ],
];

/** Returns the text without names, documents, keys, tokens, e-mail addresses, phones and long numbers. */
export function mask(text: string): string {
  // Every second piece is an id.
  return without(secrets, text)
    .split(IDS)
    .map((piece, index) => (index % 2 === 1 ? piece : without(numbers, piece)))
    .join('');
}

/** Masks a text that a person wrote by shapes. Names in it stay. */
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
