/** Shapes of what may never be written anywhere, wherever in a text they stand. */
const secrets: readonly [RegExp, string][] = [
  [/\bsk_(live|sandbox)_\w+/g, 'sk_$1_***'],
  [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g, '[token]'],
  [/[\w.!#$&'*+=?^`{|}~-]+@[\w-]+(\.[\w-]+)+/g, '[e-mail]'],
  [/\b\d{3}\.\d{3}\.\d{3}-\d{2}\b/g, '[document]'],
  [/\b[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}\b/g, '[document]'],
  [/\+\d{11,15}\b/g, '[phone]'],
  [/(?<![\w-])\d{11,19}(?![\w-])/g, '[number]'],
];

/** The text with documents, keys, tokens, e-mail addresses and long numbers taken out. */
export function mask(text: string): string {
  return secrets.reduce((masked, [shape, instead]) => masked.replace(shape, instead), text);
}
