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
 * The text in the letters every payer's bank reads: accents taken off, `&` spelt out, other signs turned into
 * blanks, cut to `maxLength` and trimmed after the cut. May come out empty.
 *
 * Narrower than EMV's printable ASCII because banks have refused codes over `&` (bacen/pix-api#635, #634,
 * #157).
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
