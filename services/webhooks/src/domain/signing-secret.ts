import type { SignatureVersion } from './configuration.ts';

/** The prefix of a secret in Standard Webhooks; the Base64 of the key follows it. */
export const SECRET_PREFIX = 'whsec_';

/** The key length of Standard Webhooks, in bytes. */
const KEY_LENGTH = { min: 24, max: 64 };

/**
 * Returns the key of a Standard Webhooks signature. A secret without the prefix, from before it was required,
 * is itself the key. The contract's own signature always uses the whole text.
 */
export function standardKeyOf(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret);
}

/**
 * Returns the reason why a library could not verify with this secret, or undefined. Many libraries decode
 * Base64 strictly.
 */
export function reasonAgainstSecret(secret: string, version: SignatureVersion): string | undefined {
  if (version === 'v1') return undefined;
  const key = standardKeyOf(secret);
  const isWellFormed = secret === SECRET_PREFIX + key.toString('base64');
  if (isWellFormed && key.length >= KEY_LENGTH.min && key.length <= KEY_LENGTH.max) return undefined;
  return `must be ${SECRET_PREFIX} and the Base64 of ${KEY_LENGTH.min} to ${KEY_LENGTH.max} bytes for the signature standard`;
}
