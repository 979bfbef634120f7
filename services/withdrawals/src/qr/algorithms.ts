import { constants, type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto';

export const algorithms = [
  ...(['RS256', 'RS384', 'RS512'] as const),
  ...(['PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512'] as const),
] as const;

/**
 * The allowed signature algorithms (RFC 7518, 3.1). They exclude `none` and algorithms with a shared secret
 * (HMAC).
 */
export type Algorithm = (typeof algorithms)[number];

const curves: Partial<Record<Algorithm, string>> = {
  ES256: 'prime256v1',
  ES384: 'secp384r1',
  ES512: 'secp521r1',
};

const MIN_MODULUS_BITS = 2048;
/**
 * The longest RSA key that is accepted, which is enough for any bank. Verification with a longer key would
 * take too much processor time.
 */
const MAX_MODULUS_BITS = 8192;
const MAX_EXPONENT = 0xffff_ffffn;

/**
 * Returns true if the key has the algorithm's type, is strong enough, and is short enough to need little
 * processor time.
 */
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

/** Returns true if the signature was made with the key. The caller must check `fitsAlgorithm` first. */
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
