import { createHash, createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { type Algorithm, fitsAlgorithm } from './algorithms.ts';
import { type JwsHeader, parseJson } from './jws.ts';
import { invalidCode } from './refusals.ts';

const text = z.string().optional();

const named = {
  kid: z.string(),
  alg: text,
  use: text,
  key_ops: z.array(z.string()).optional(),
  x5t: text,
  'x5t#S256': text,
  x5c: z.array(z.string()).optional(),
};

/** The format of a public key (RFC 7517, 4; RFC 7518, 6). */
const jwk = z.discriminatedUnion('kty', [
  z.object({ ...named, kty: z.literal('RSA'), n: z.string(), e: z.string() }),
  z.object({ ...named, kty: z.literal('EC'), crv: z.string(), x: z.string(), y: z.string() }),
]);

type Jwk = z.infer<typeof jwk>;

/**
 * The largest number of keys with the same `kid` that are tried. A bank could otherwise send thousands of
 * keys and use much processor time.
 */
const MAX_NAMESAKES = 10;

/**
 * The keys are not validated here, because a set may also contain kinds of keys that this service does not
 * support.
 */
const keySet = z.object({ keys: z.array(z.unknown()) });

/**
 * Returns the key that the header selects by `kid`. Certificates in the header and in the key must be
 * certificates of this key. Throws INVALID_QR_CODE if no key fits. Does not verify the certificate's issuers,
 * because the keys came over TLS from the bank's host.
 */
export function keyNamedBy(header: JwsHeader, set: Buffer): KeyObject {
  const result = keySet.safeParse(parseJson(set));
  if (!result.success) throw invalidCode('the keys of the bank behind the code can’t be read');
  const found = result.data.keys
    .filter((entry) => isCalled(header.kid, entry))
    .slice(0, MAX_NAMESAKES)
    .map((entry) => jwk.safeParse(entry).data)
    .find((entry) => entry && isFor(entry, header.alg) && hasThumbprints(entry, header));
  const key = found && publicKeyOf(found);
  if (!key || !fitsAlgorithm(key, header.alg)) {
    throw invalidCode('the bank behind the code has no key that fits its signature');
  }
  if (!leavesOf(found, header).every((leaf) => leaf && isOf(leaf, key))) {
    throw invalidCode('the certificate of the bank behind the code is not that of its key');
  }
  return key;
}

function isCalled(kid: string, entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'kid' in entry && entry.kid === kid;
}

/**
 * Returns true if a bank's key may verify signatures of this algorithm. The key's `alg` may also be a key
 * type such as RSA, because some banks send the type instead.
 */
function isFor(entry: Jwk, algorithm: Algorithm): boolean {
  if (entry.use !== undefined && entry.use !== 'sig') return false;
  if (entry.key_ops && !entry.key_ops.includes('verify')) return false;
  return entry.alg === undefined || entry.alg === algorithm || entry.alg === entry.kty;
}

/**
 * Returns true if the certificate digests in the header and in the key are equal to the digests of the
 * certificates.
 */
function hasThumbprints(entry: Jwk, header: JwsHeader): boolean {
  const ders = leavesOf(entry, header).map((leaf) => leaf?.raw);
  return (['x5t', 'x5t#S256'] as const).every((name) => {
    const hash = name === 'x5t' ? 'sha1' : 'sha256';
    const stated = [header[name], entry[name]].map((value) => value && bytesOf(value).toString('hex'));
    const made = ders.map((der) => der && createHash(hash).update(der).digest('hex'));
    return new Set([...stated, ...made].filter((value) => value !== undefined)).size <= 1;
  });
}

/**
 * Returns the first certificate of each `x5c` list, because only the first certificate contains the key. The
 * result is undefined for a certificate that cannot be parsed.
 */
function leavesOf(...holders: Pick<Jwk, 'x5c'>[]): (X509Certificate | undefined)[] {
  return holders.flatMap(({ x5c }) => (x5c?.[0] === undefined ? [] : [certificateOf(x5c[0])]));
}

function certificateOf(base64: string): X509Certificate | undefined {
  try {
    return new X509Certificate(bytesOf(base64));
  } catch {
    return undefined;
  }
}

/** Returns true if the certificate contains the key, and false if its key differs or cannot be read. */
function isOf(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.publicKey.equals(key);
  } catch {
    return false;
  }
}

/**
 * Decodes base64 and base64url, with or without padding and line breaks, because banks use all these forms.
 */
function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

function publicKeyOf(entry: Jwk): KeyObject | undefined {
  try {
    return createPublicKey({ key: keyOnly(entry), format: 'jwk' });
  } catch {
    return undefined;
  }
}

function keyOnly(entry: Jwk): JsonWebKey {
  if (entry.kty === 'RSA') return { kty: entry.kty, n: entry.n, e: entry.e };
  return { kty: entry.kty, crv: entry.crv, x: entry.x, y: entry.y };
}
