import { randomUUID } from 'node:crypto';
import { writeDynamicCode } from '@plataforma/brcode';

const TOKEN = /^[\w-]{22}$/;
const MERCHANT = { merchantName: 'Recebedor de Teste', merchantCity: 'Sao Paulo' };

export const LOCATION_PATH = '/qr/v2';

/**
 * Returns a token of 122 random bits, which can't be guessed. A location has at most 77 characters, so the
 * short token leaves 48 characters for the host and path of the provider's URL.
 */
export function newLocationToken(): string {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
}

export function isLocationToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns the URL from which payers' banks read a charge, without the scheme (MPI 2.10.0 §2.5.2). */
export function locationOf(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/^https?:\/\//, '')}${LOCATION_PATH}/${token}`;
}

/**
 * Returns the copy-and-paste code of a location. Throws RangeError if the location is too long for the code.
 */
export function copyPasteCode(location: string): string {
  return writeDynamicCode({ location, ...MERCHANT });
}
