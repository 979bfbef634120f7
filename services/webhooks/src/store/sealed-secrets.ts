import type { Queryable, Transaction } from '@plataforma/data';
import { FIRST_ID } from '@plataforma/kernel';
import type { SecretOfVersion } from '../domain/delivery.ts';

/** The statements for the two tables with secrets: current secrets, and old secrets in their grace period. */
const statements = {
  configurations: statementsOf('configurations', 'id', 'deleted_at IS NULL'),
  old_secrets: statementsOf('old_secrets', 'configuration_id', 'true'),
};

export type SecretTable = keyof typeof statements;
export const secretTables: readonly SecretTable[] = ['configurations', 'old_secrets'];

interface ScanPosition {
  configurationId: string;
  version: number;
}

export const SCAN_BEGIN: ScanPosition = { configurationId: FIRST_ID, version: 0 };

export interface StoredSecret extends SecretOfVersion {
  configurationId: string;
}

/**
 * Builds the statements that replace the encryption of a table's secrets. They skip secrets that other
 * transactions have locked, which a later run finds. The version of a secret stays the same.
 */
function statementsOf(table: string, id: string, isStored: string) {
  const isOld = `${isStored} AND secret_key_id = ANY ($1)`;
  return {
    lock: `
      SELECT ${id} AS "configurationId", version, secret_key_id AS "keyId", secret_sealed AS sealed
      FROM ${table}
      WHERE ${isOld} AND (${id}, version) > ($2::uuid, $3::int)
      ORDER BY ${id}, version LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED`,
    save: `
      UPDATE ${table} t SET secret_key_id = s.key_id, secret_sealed = s.sealed
      FROM unnest($1::uuid[], $2::int[], $3::text[], $4::bytea[]) AS s (id, version, key_id, sealed)
      WHERE t.${id} = s.id AND t.version = s.version AND ${isStored}`,
    count: `SELECT count(*) AS total FROM ${table} WHERE ${isOld}`,
  };
}

/**
 * Locks at most `limit` secrets of a table that are encrypted with one of the keys in `keyIds`. Begins after
 * the position `after`, in the order of configuration and version.
 */
export function lockSealedWith(
  tx: Transaction,
  table: SecretTable,
  { keyIds, after, limit }: { keyIds: readonly string[]; after: ScanPosition; limit: number },
): Promise<StoredSecret[]> {
  const values = [keyIds, after.configurationId, after.version, limit];
  return tx.queryUnprepared<StoredSecret>(statements[table].lock, values);
}

export async function saveSealed(
  tx: Transaction,
  table: SecretTable,
  secrets: readonly StoredSecret[],
): Promise<void> {
  await tx.query(statements[table].save, [
    secrets.map(({ configurationId }) => configurationId),
    secrets.map(({ version }) => version),
    secrets.map(({ keyId }) => keyId),
    secrets.map(({ sealed }) => sealed),
  ]);
}

export async function countSealedWith(
  db: Queryable,
  table: SecretTable,
  keyIds: readonly string[],
): Promise<number> {
  const [counted] = await db.queryUnprepared<{ total: number }>(statements[table].count, [keyIds]);
  return counted?.total ?? 0;
}
