import { randomText } from './random-text.ts';

/**
 * The bank numbers (ISPB) of the payers' bank and of this provider. No real bank in Pix has these numbers.
 */
export const PAYERS_ISPB = '99999999';
export const OWN_ISPB = '99999998';

const SUFFIX_LENGTH = 11;

/**
 * Returns an EndToEndId (`E`) or RtrId (`D`) of API Pix 2.9.0. The id consists of the letter, the sending
 * bank's ISPB, the minute in UTC, and eleven random letters or digits.
 */
export function newSpiId(letter: 'E' | 'D', ispb: string, sentAt: Date): string {
  const minute = sentAt.toISOString().replace(/\D/g, '').slice(0, 12);
  return `${letter}${ispb}${minute}${randomText(SUFFIX_LENGTH)}`;
}
