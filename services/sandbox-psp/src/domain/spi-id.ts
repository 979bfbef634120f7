import { randomInt } from 'node:crypto';

/** The bank all payers have, and this one; no participant of Pix has these numbers. */
export const PAYERS_ISPB = '99999999';
export const OWN_ISPB = '99999998';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SUFFIX_LENGTH = 11;

/**
 * `E` for a payment or `D` for a refund, the bank that sends the money, the minute in UTC, eleven letters or digits
 * (API Pix 2.9.0, EndToEndId and RtrId).
 */
export function newSpiId(letter: 'E' | 'D', ispb: string, sentAt: Date): string {
  const minute = sentAt.toISOString().replace(/\D/g, '').slice(0, 12);
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  return `${letter}${ispb}${minute}${suffix.join('')}`;
}
