import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';

const ALGORITHM = 'ES256';
/**
 * The length of a key's id. The id only has to differ among the few keys of one issuer. It does not prove who
 * made a token.
 */
const ID_LENGTH = 16;

/**
 * A private or public key with its id. Tokens name the key by this id (`kid`), so that a reader can choose
 * among several keys.
 */
export interface TokenKey {
  id: string;
  key: KeyObject;
}

/** Reads a private P-256 key for ES256 from PKCS #8 DER in base64. */
export function tokenSigningKey(text: string): TokenKey {
  const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  return { id: idOf(createPublicKey(key)), key };
}

/** Reads a public key from SPKI DER in base64. */
export function tokenKey(text: string): TokenKey {
  const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  return { id: idOf(key), key };
}

/** Returns the public key that verifies the tokens that this private key signs. */
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

/** Signs a token with ES256. The header of the token holds the id of the key. */
export function signToken(claims: object, { id, key }: TokenKey, life: TokenLife): string {
  return jwt.sign(claims, key, { ...life, algorithm: ALGORITHM, keyid: id });
}

/**
 * Returns the payload of a token that one of `keys` has signed. If the token names a key, only that key may
 * have signed it. Throws jsonwebtoken's errors; TokenExpiredError means that the signature is right.
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

/**
 * Returns the keys that may have signed a token. The id of the key is read before the signature is checked,
 * only to choose the key.
 */
function candidatesOf(token: string, keys: readonly TokenKey[]): readonly TokenKey[] {
  if (keys.length === 1) return keys;
  const named = jwt.decode(token, { complete: true })?.header.kid;
  return named === undefined ? keys : keys.filter(({ id }) => id === named);
}
