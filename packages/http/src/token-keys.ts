import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';

const ALGORITHM = 'ES256';
/** Enough to distinguish the few keys of one issuer; the id proves nothing. */
const ID_LENGTH = 16;

/** A private or public key with the id in its tokens (`kid`), by which readers choose among several keys. */
export interface TokenKey {
  id: string;
  key: KeyObject;
}

/** Reads a private key for ES256: P-256, PKCS #8 DER in base64. */
export function tokenSigningKey(text: string): TokenKey {
  const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  return { id: idOf(createPublicKey(key)), key };
}

/** Reads a public key: SPKI DER in base64. */
export function tokenKey(text: string): TokenKey {
  const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  return { id: idOf(key), key };
}

/** Returns the public half, which verifies the tokens that the private key signs. */
export function publicHalf({ id, key }: TokenKey): TokenKey {
  return { id, key: createPublicKey(key) };
}

function idOf(publicKey: KeyObject): string {
  const bytes = publicKey.export({ format: 'der', type: 'spki' });
  return createHash('sha256').update(bytes).digest('base64url').slice(0, ID_LENGTH);
}

interface TokenLife {
  issuer: string;
  audience: string;
  expiresIn: number;
}

/** Signs a token with ES256; the token names its key. */
export function signToken(claims: object, { id, key }: TokenKey, life: TokenLife): string {
  return jwt.sign(claims, key, { ...life, algorithm: ALGORITHM, keyid: id });
}

/**
 * Returns the payload of a token that one of `keys` has signed: the key that the token names, or any key when
 * it names none. Throws jsonwebtoken's errors; TokenExpiredError means that the signature is right.
 */
export function readToken(
  token: string,
  keys: readonly TokenKey[],
  meant: { issuer: string; audience: string },
): string | jwt.JwtPayload {
  let failure: unknown;
  for (const { key } of candidatesOf(token, keys)) {
    try {
      return jwt.verify(token, key, { ...meant, algorithms: [ALGORITHM] });
    } catch (error) {
      if (error instanceof jwt.TokenExpiredError) throw error;
      failure = error;
    }
  }
  throw failure ?? new jwt.JsonWebTokenError('the token names no key that is known');
}

/** Reads the key's id before the signature is checked, only to pick the key. A single key needs no choice. */
function candidatesOf(token: string, keys: readonly TokenKey[]): readonly TokenKey[] {
  if (keys.length === 1) return keys;
  const named = jwt.decode(token, { complete: true })?.header.kid;
  return named === undefined ? keys : keys.filter(({ id }) => id === named);
}
