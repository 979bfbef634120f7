import type { Queryable } from '@plataforma/data';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** The algorithm of BACEN's own samples, which every payer's bank reads. */
export const SIGNING_ALGORITHM = 'RS256';

const FIND = 'SELECT private_jwk FROM signing_key';
const KEEP = 'INSERT INTO signing_key (private_jwk) VALUES ($1) ON CONFLICT DO NOTHING';

/** The bank's own private key, made once for all replicas and restarts: of two made at once, the first stays. */
export async function loadSigningKey(db: Queryable): Promise<JWK> {
  const known = await findSigningKey(db);
  if (known) return known;

  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  await db.query(KEEP, [JSON.stringify(await exportJWK(privateKey))]);
  const kept = await findSigningKey(db);
  if (!kept) throw new Error('the signing key was not kept');
  return kept;
}

async function findSigningKey(db: Queryable): Promise<JWK | undefined> {
  const [row] = await db.query<{ private_jwk: JWK }>(FIND);
  return row?.private_jwk;
}
