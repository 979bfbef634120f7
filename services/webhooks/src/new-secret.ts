import { randomBytes } from 'node:crypto';
import { SECRET_PREFIX } from './domain/signing-secret.ts';

const SECRET_BYTES = 32;

/** Creates a secret of 256 random bits. Leak scanners can recognise its prefix. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}
