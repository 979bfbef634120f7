import { normalized } from '@plataforma/kernel';

/** The signs of the bytes 80 to 9F; five of these bytes have none. */
const SIGNS = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';
const FIRST_BYTE = 0x80;
/** All that Windows-1252 has, without control characters. */
const PRINTABLE = new RegExp(`[\\x20-\\x7e\\xa0-\\xff${SIGNS.replaceAll('\0', '')}]`, 'u');

/** A text as far as Windows-1252 has it: the rest is written by its nearest letters, or as a question mark. */
export function windows1252Text(text: string): string {
  return Array.from(normalized(text, 'NFC'), shownAs).join('');
}

function shownAs(sign: string): string {
  if (PRINTABLE.test(sign)) return sign;
  if (/[\p{Pd}\u2212]/u.test(sign)) return '-';
  const near = sign.normalize('NFKD').replace(/\p{M}/gu, '');
  return near !== '' && Array.from(near).every((each) => PRINTABLE.test(each)) ? near : '?';
}

/** The bytes of a text that `windows1252Text` has written. */
export function windows1252Bytes(text: string): Buffer {
  const bytes = text.replace(/[\u0100-\uffff]/g, (sign) =>
    String.fromCharCode(FIRST_BYTE + SIGNS.indexOf(sign)),
  );
  return Buffer.from(bytes, 'latin1');
}
