import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** For a merchant who brought none: 256 random bits, behind a prefix that leak scanners can recognise. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}
