import { randomUUID } from 'node:crypto';
import { writeDynamicCode } from '@plataforma/brcode';

const TOKEN = /^[\w-]{22}$/;
const MERCHANT = { merchantName: 'Recebedor de Teste', merchantCity: 'Sao Paulo' };

export const LOCATION_PATH = '/qr/v2';

/** Unguessable (122 random bits), and short: host and path keep 48 of a location's 77 characters. */
export function newLocationToken(): string {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
}

export function isLocationToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Where a payer's bank reads the charge: `publicUrl` and path without the scheme (MPI 2.10.0 §2.5.2). */
export function locationOf(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/^https?:\/\//, '')}${LOCATION_PATH}/${token}`;
}

/** The copy-and-paste code of a location; throws RangeError when no code can hold it. */
export function copyPasteCode(location: string): string {
  return writeDynamicCode({ location, ...MERCHANT });
}
