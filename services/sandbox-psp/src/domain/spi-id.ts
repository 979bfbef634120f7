import { randomText } from './random-text.ts';

/** The bank all payers have, and this one; no participant of Pix has these numbers. */
export const PAYERS_ISPB = '99999999';
export const OWN_ISPB = '99999998';

const SUFFIX_LENGTH = 11;

/**
 * `E` for a payment or `D` for a refund, the bank that sends the money, the minute in UTC, eleven letters or digits
 * (API Pix 2.9.0, EndToEndId and RtrId).
 */
export function newSpiId(letter: 'E' | 'D', ispb: string, sentAt: Date): string {
  const minute = sentAt.toISOString().replace(/\D/g, '').slice(0, 12);
  return `${letter}${ispb}${minute}${randomText(SUFFIX_LENGTH)}`;
}
