import type { SignatureVersion } from './configuration.ts';

/** The prefix of a secret in Standard Webhooks. The Base64 of the key follows the prefix. */
export const SECRET_PREFIX = 'whsec_';

/** The limits of a key's length in Standard Webhooks, in bytes. */
const KEY_LENGTH = { min: 24, max: 64 };

/**
 * Returns the key for Standard Webhooks signatures. An older secret without the prefix is itself the key. The
 * platform's own signature always uses the complete text of the secret.
 */
export function standardKeyOf(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret);
}

/**
 * Returns why Standard Webhooks libraries could not use this secret, or undefined. Many libraries decode
 * Base64 strictly.
 */
export function reasonAgainstSecret(secret: string, version: SignatureVersion): string | undefined {
  if (version === 'v1') return undefined;
  const key = standardKeyOf(secret);
  const isWellFormed = secret === SECRET_PREFIX + key.toString('base64');
  if (isWellFormed && key.length >= KEY_LENGTH.min && key.length <= KEY_LENGTH.max) return undefined;
  return `must be ${SECRET_PREFIX} and the Base64 of ${KEY_LENGTH.min} to ${KEY_LENGTH.max} bytes for the signature standard`;
}
