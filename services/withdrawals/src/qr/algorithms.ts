import { constants, type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto';

export const algorithms = [
  ...(['RS256', 'RS384', 'RS512'] as const),
  ...(['PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512'] as const),
] as const;

/** The allowed signature algorithms (RFC 7518, 3.1). Excludes `none` and shared secrets (HMAC). */
export type Algorithm = (typeof algorithms)[number];

const curves: Partial<Record<Algorithm, string>> = {
  ES256: 'prime256v1',
  ES384: 'secp384r1',
  ES512: 'secp521r1',
};

const MIN_MODULUS_BITS = 2048;
/** Enough for any bank. A larger key would take too much processor time. */
const MAX_MODULUS_BITS = 8192;
const MAX_EXPONENT = 0xffff_ffffn;

/** Returns whether a key has the algorithm's type, is strong enough, and is cheap to verify with. */
export function fitsAlgorithm(key: KeyObject, algorithm: Algorithm): boolean {
  const { namedCurve, modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  const curve = curves[algorithm];
  if (curve) return key.asymmetricKeyType === 'ec' && namedCurve === curve;
  if (key.asymmetricKeyType !== 'rsa' || publicExponent < 3n || publicExponent > MAX_EXPONENT) return false;
  return modulusLength >= MIN_MODULUS_BITS && modulusLength <= MAX_MODULUS_BITS;
}

interface Signed {
  algorithm: Algorithm;
  signed: Buffer;
  signature: Buffer;
}

/** Returns whether the key made the signature. The key must fit the algorithm. */
export function isSignedBy(key: KeyObject, { algorithm, signed, signature }: Signed): boolean {
  try {
    return verify(`sha${algorithm.slice(2)}`, signed, verifierOf(key, algorithm), signature);
  } catch {
    return false;
  }
}

function verifierOf(key: KeyObject, algorithm: Algorithm): VerifyKeyObjectInput {
  if (algorithm.startsWith('ES')) return { key, dsaEncoding: 'ieee-p1363' };
  if (algorithm.startsWith('RS')) return { key, padding: constants.RSA_PKCS1_PADDING };
  return {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  };
}
