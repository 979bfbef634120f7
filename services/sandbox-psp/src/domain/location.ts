import { randomUUID } from 'node:crypto';
import { writeDynamicCode } from '@plataforma/brcode';

const TOKEN = /^[\w-]{22}$/;
const MERCHANT = { merchantName: 'Recebedor de Teste', merchantCity: 'Sao Paulo' };

export const LOCATION_PATH = '/qr/v2';

/** Unguessable with 122 random bits, and short: host and path keep 48 of the 77 characters of a location. */
export function newLocationToken(): string {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
}

export function isLocationToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns the URL of a charge for payers' banks, without the scheme (MPI 2.10.0 §2.5.2). */
export function locationOf(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/^https?:\/\//, '')}${LOCATION_PATH}/${token}`;
}

/** Returns the copy-and-paste code of a location. Throws RangeError if the location does not fit a code. */
export function copyPasteCode(location: string): string {
  return writeDynamicCode({ location, ...MERCHANT });
}
