import type { Queryable, Transaction } from '@plataforma/data';
import type { SealedSecret } from '../domain/configuration.ts';

/** Smaller than every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export interface StoredSecret {
  configurationId: string;
  secret: SealedSecret;
}

/** What somebody else is changing just now is left out; it is found again. */
const LOCK = `
  SELECT id, secret_key_id, secret_sealed FROM configurations
  WHERE deleted_at IS NULL AND secret_key_id = ANY ($1) AND id > $2
  ORDER BY id LIMIT $3
  FOR NO KEY UPDATE SKIP LOCKED`;

/** Locks some of the secrets that are sealed with one of the keys, by their configurations' ids in order. */
export async function lockSealedWith(
  tx: Transaction,
  keyIds: readonly string[],
  { after, limit }: { after: string; limit: number },
): Promise<StoredSecret[]> {
  type SecretRow = { id: string; secret_key_id: string; secret_sealed: Buffer };
  const rows = await tx.queryUnprepared<SecretRow>(LOCK, [keyIds, after, limit]);
  return rows.map((row) => ({
    configurationId: row.id,
    secret: { keyId: row.secret_key_id, sealed: row.secret_sealed },
  }));
}

/** The secret stays the same, and so does its version. */
const SAVE = `
  UPDATE configurations c SET secret_key_id = s.key_id, secret_sealed = s.sealed
  FROM unnest($1::uuid[], $2::text[], $3::bytea[]) AS s (id, key_id, sealed)
  WHERE c.id = s.id AND c.deleted_at IS NULL`;

/** Of locked secrets: the same, sealed anew. */
export async function saveSealed(tx: Transaction, secrets: readonly StoredSecret[]): Promise<void> {
  await tx.query(SAVE, [
    secrets.map(({ configurationId }) => configurationId),
    secrets.map(({ secret }) => secret.keyId),
    secrets.map(({ secret }) => secret.sealed),
  ]);
}

const COUNT = `
  SELECT count(*) AS total FROM configurations WHERE deleted_at IS NULL AND secret_key_id = ANY ($1)`;

export async function countSealedWith(db: Queryable, keyIds: readonly string[]): Promise<number> {
  const [counted] = await db.queryUnprepared<{ total: number }>(COUNT, [keyIds]);
  return counted?.total ?? 0;
}
