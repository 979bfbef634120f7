import type { Queryable } from '@plataforma/data';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** The algorithm in the examples of the central bank (BACEN), which every payer's bank accepts. */
export const SIGNING_ALGORITHM = 'RS256';

const FIND = 'SELECT private_jwk FROM signing_key';
const SAVE = 'INSERT INTO signing_key (private_jwk) VALUES ($1) ON CONFLICT DO NOTHING';

/**
 * Returns the provider's private key, which all replicas share. If two replicas create a key at the same
 * time, the first stored key is used.
 */
export async function loadSigningKey(db: Queryable): Promise<JWK> {
  const existing = await findSigningKey(db);
  if (existing) return existing;

  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  await db.query(SAVE, [JSON.stringify(await exportJWK(privateKey))]);
  const stored = await findSigningKey(db);
  if (!stored) throw new Error('the signing key was not kept');
  return stored;
}

async function findSigningKey(db: Queryable): Promise<JWK | undefined> {
  const [row] = await db.query<{ private_jwk: JWK }>(FIND);
  return row?.private_jwk;
}
