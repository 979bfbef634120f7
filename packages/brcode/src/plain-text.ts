import { normalized } from '@plataforma/kernel';

const REPLACEMENTS = new Map([
  ['&', ' e '],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ð', 'd'],
  ['Ð', 'D'],
  ['þ', 'th'],
  ['Þ', 'TH'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['ı', 'i'],
  ['‘', "'"],
  ['’', "'"],
  ['–', '-'],
  ['—', '-'],
]);

/**
 * Returns the text in letters that every payer's bank reads, cut to `maxLength` and trimmed. Removes accents,
 * spells out `&` and replaces other signs by blanks. May return an empty text.
 *
 * The character set is narrower than EMV's printable ASCII, because banks have refused codes that contain `&`
 * (bacen/pix-api#635, #634, #157).
 */
export function toPlainText(text: string, maxLength: number): string {
  return normalized(text, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 .,:/()'+-]/gu, (sign) => REPLACEMENTS.get(sign) ?? ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, maxLength)
    .trim();
}
