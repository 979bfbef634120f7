import type { SignatureVersion } from './configuration.ts';

/** In Standard Webhooks what follows it is the Base64 of the key. */
export const SECRET_PREFIX = 'whsec_';

/** The key of a signature of Standard Webhooks; the contract's own takes the whole text of the secret. */
export function standardKeyOf(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret);
}

/** Why nobody could verify what is signed with this secret, or undefined: libraries decode strictly. */
export function reasonAgainstSecret(secret: string, version: SignatureVersion): string | undefined {
  if (version === 'v1' || !secret.startsWith(SECRET_PREFIX)) return undefined;
  const isBase64 = standardKeyOf(secret).toString('base64') === secret.slice(SECRET_PREFIX.length);
  return isBase64 ? undefined : `must have Base64 after ${SECRET_PREFIX} for the signature standard`;
}
