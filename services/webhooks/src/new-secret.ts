import { randomBytes } from 'node:crypto';
import { SECRET_PREFIX } from './domain/signing-secret.ts';

const SECRET_BYTES = 32;

/** Creates a secret of 256 random bits, with a prefix that leak scanners can recognise. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}
