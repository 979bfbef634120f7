/** What has no shape of its own is known by its name. */
export const secretFields = [
  'authorization',
  'companyName',
  'cookie',
  'currentPassword',
  'holderName',
  'key',
  'newPassword',
  'password',
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

/** Shapes of what may never be written anywhere, wherever in a text they stand. */
const secrets: readonly [RegExp, string][] = [
  [/\bsk_(live|sandbox)_\w+/g, 'sk_$1_***'],
  [/\bwhsec_[\w+/=-]+/g, 'whsec_***'],
  [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g, '[token]'],
  [/\b(Bearer|Basic) [\w.~+/-]{8,}=*/gi, '$1 [token]'],
  [/\$argon2\w+\$[\w$=,+/.-]+/g, '[hash]'],
  [/(?<=:\/\/)[^\s/@:]*:[^\s/@]+(?=@)/g, '[credentials]'],
  // Bounded, so that a long text without any @ is not searched again from each of its characters.
  [/[\w.!#$&'*+=?^`{|}~-]{1,64}@[\w-]+(\.[\w-]+)+/g, '[e-mail]'],
  [/\b\d{3}\.\d{3}\.\d{3}-\d{2}\b/g, '[document]'],
  [/\b[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}\b/g, '[document]'],
  [/(?<![\w-])(?=[0-9]*[A-Z])(?=[A-Z]*[0-9])[0-9A-Z]{12}\d{2}(?![\w-])/g, '[document]'],
  [/(?<!\w)(\+55[ -]?)?\(?\d{2}\)?[ -]?9?\d{4}-\d{4}\b/g, '[phone]'],
  [/\+\d{11,15}\b/g, '[phone]'],
  [/\b(?:\d{4}[ -]){3}\d{1,7}\b/g, '[number]'],
  // A number of JSON's own needs quotes to stay readable.
  [/(?<=[^\\]":)\d{10,19}(?=[,}])/g, '"[number]"'],
  [/(?<![\w-])\d{10,19}(?![\w-])/g, '[number]'],
];

/** The text with names, documents, keys, tokens, e-mail addresses, phones and long numbers taken out. */
export function mask(text: string): string {
  return [...namedFields, ...secrets].reduce(
    (masked, [shape, instead]) => masked.replace(shape, instead),
    text,
  );
}
