/** Names of fields that are always masked, because a pattern cannot recognize their values. */
export const secretFields = [
  'authorization',
  'companyName',
  'cookie',
  'currentPassword',
  'holderName',
  'key',
  'newPassword',
  'password',
  'payeeDocument',
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
  // Matches a field of JSON that is encoded as a string in other JSON, where each quote and backslash has an
  // additional backslash.
  [
    new RegExp(`\\\\"(${named})\\\\"\\s*:\\s*\\\\"(?:[^"\\\\]|\\\\\\\\(?:\\\\.|[^"\\\\]))*\\\\"`, 'g'),
    '\\"$1\\":\\"***\\"',
  ],
];

type Instead = string | ((match: string, end?: string) => string);

/**
 * Replaces a complete match and keeps an incomplete one unchanged. The pattern also consumes incomplete
 * matches, so that no later match starts inside them and the time stays linear.
 */
const withEnd = (instead: string) => (match: string, end?: string) => (end === undefined ? match : instead);

/** Patterns of secrets, which may be anywhere in a text. Each pattern takes linear time. */
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
 * Patterns of ids that contain long runs of digits but no personal data: UUIDs, digests, trace ids and a
 * Pix's end-to-end id. The length of a digest or trace id is a multiple of eight hexadecimal digits.
 */
const idShapes = [
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/,
  /(?=\d*[a-f])(?:[\da-f]{8}){2,8}/,
  /[ED]\d{8}20\d{10}[\da-z]{11}/,
].map(({ source }) => source);
const IDS = new RegExp(`(?<![\\da-z])(${idShapes.join('|')})(?![\\da-z])`, 'i');

/**
 * Patterns of personal numbers. A number may follow directly after a hyphen, an underscore or a letter. The
 * separators in a CPF or CNPJ must be equal. A phone number has no dot, so that decimal fractions do not
 * match.
 */
const numbers: readonly [RegExp, string][] = [
  [/\+\d{11,15}\b/g, '[phone]'],
  // A string in quotes replaces a number in JSON, so that the line stays valid JSON.
  [/(?<=[^\\]":)-?(?=\d*\.?\d{10})\d+(?:\.\d+)?(?:[Ee][+-]?\d+)?(?=[,}])/g, '"[number]"'],
  [/(?<!\d)(?:\d{4}[ .-]){3}\d{1,7}(?!\d)/g, '[number]'],
  [/\d{10,}/g, '[number]'],
  [/(?<!\d)\d{3}([ .-]?)\d{3}\1\d{3}[ -]?\d{2}(?!\d)/g, '[document]'],
  [/(?<!\d)\d{2}(\.?)\d{3}\1\d{3}[ /-]?\d{4}[ -]?\d{2}(?!\d)/g, '[document]'],
  // A CNPJ with letters. The pattern requires a digit before the slash, because a path can otherwise have the
  // same form.
  [
    /(?<![\da-z])(?=[a-z.]{0,9}\d)[\da-z]{2}(\.?)[\da-z]{3}\1[\da-z]{3}\/[\da-z]{4}-\d{2}(?!\d)/gi,
    '[document]',
  ],
  [/(?<![\dA-Za-z])(?=\d*[A-Z])(?=[A-Z]*\d)[\dA-Z]{12}\d{2}(?![\dA-Za-z])/g, '[document]'],
  // A CNPJ in small letters. The pattern requires six digits, because an ordinary word may end in the four
  // digits of a year.
  [/(?<![\da-z])(?=[\da-z]{12}\d{2}(?![\da-z]))(?:[a-z]*\d){6}[\da-z]*/gi, '[document]'],
  [
    /(?<!\d)(?:\+?55[ -]?)?(?:\(\d{2}\)[ -]?9?\d{4}[ -]?\d{4}|\d{2}[ -]?(?:9?\d{4}[ -]|9\d{4})\d{4})(?!\d)/g,
    '[phone]',
  ],
];

/**
 * Masks documents, keys, tokens, e-mail addresses, phone numbers, long numbers, and the values of JSON fields
 * in `secretFields`.
 */
export function mask(text: string): string {
  // `split` also returns the matches of IDS, so every second piece is an id. The numbers in an id are not
  // masked.
  return without(secrets, text)
    .split(IDS)
    .map((piece, index) => (index % 2 === 1 ? piece : without(numbers, piece)))
    .join('');
}

/** Masks a text that a person wrote. The patterns do not recognize names, so names in the text stay. */
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
