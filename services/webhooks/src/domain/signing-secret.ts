import type { SignatureVersion } from './configuration.ts';

/** In Standard Webhooks what follows it is the Base64 of the key. */
export const SECRET_PREFIX = 'whsec_';

/** As Standard Webhooks wants them; in bytes. */
const KEY_LENGTH = { min: 24, max: 64 };

/**
 * The key of a signature of Standard Webhooks; the contract's own takes the whole text of the secret. Configurations from
 * before other secrets were refused have some without the prefix: of these it is the text, too.
 */
export function standardKeyOf(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret);
}

/** Why a library could not verify what is signed with this secret, or undefined: many decode strictly. */
export function reasonAgainstSecret(secret: string, version: SignatureVersion): string | undefined {
  if (version === 'v1') return undefined;
  const key = standardKeyOf(secret);
  const isWellFormed = secret === SECRET_PREFIX + key.toString('base64');
  if (isWellFormed && key.length >= KEY_LENGTH.min && key.length <= KEY_LENGTH.max) return undefined;
  return `must be ${SECRET_PREFIX} and the Base64 of ${KEY_LENGTH.min} to ${KEY_LENGTH.max} bytes for the signature standard`;
}
