import { randomText } from './random-text.ts';

/** The ISPBs of the payers' bank and of this provider; no participant of Pix has these numbers. */
export const PAYERS_ISPB = '99999999';
export const OWN_ISPB = '99999998';

const SUFFIX_LENGTH = 11;

/**
 * Returns an EndToEndId (`E`) or RtrId (`D`) of API Pix 2.9.0: the sending bank, the minute in UTC, and
 * eleven letters or digits.
 */
export function newSpiId(letter: 'E' | 'D', ispb: string, sentAt: Date): string {
  const minute = sentAt.toISOString().replace(/\D/g, '').slice(0, 12);
  return `${letter}${ispb}${minute}${randomText(SUFFIX_LENGTH)}`;
}
