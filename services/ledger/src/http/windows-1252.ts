import { normalized } from '@plataforma/kernel';

/**
 * The characters of the bytes 80 to 9F in Windows-1252. NUL stands for each of the five bytes without a
 * character.
 */
const SIGNS = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';
const FIRST_BYTE = 0x80;
/** Matches all characters of Windows-1252 except control characters. */
const PRINTABLE = new RegExp(`[\\x20-\\x7e\\xa0-\\xff${SIGNS.replaceAll('\0', '')}]`, 'u');

/** Replaces characters that Windows-1252 does not have with similar letters or a question mark. */
export function windows1252Text(text: string): string {
  return Array.from(normalized(text, 'NFC'), shownAs).join('');
}

function shownAs(sign: string): string {
  if (PRINTABLE.test(sign)) return sign;
  if (/[\p{Pd}\u2212]/u.test(sign)) return '-';
  const near = sign.normalize('NFKD').replace(/\p{M}/gu, '');
  return near !== '' && Array.from(near).every((each) => PRINTABLE.test(each)) ? near : '?';
}

/** Encodes a text in Windows-1252. `windows1252Text` must have prepared the text. */
export function windows1252Bytes(text: string): Buffer {
  const bytes = text.replace(/[\u0100-\uffff]/g, (sign) =>
    String.fromCharCode(FIRST_BYTE + SIGNS.indexOf(sign)),
  );
  return Buffer.from(bytes, 'latin1');
}
