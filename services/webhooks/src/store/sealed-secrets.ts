import type { Queryable, SealableRow, Transaction } from '@plataforma/data';
import { FIRST_ID } from '@plataforma/kernel';
import { isTrusted, sealOf } from '@plataforma/tables';
import type { SecretOfVersion } from '../domain/delivery.ts';
import {
  CONFIGURATION_COLUMNS,
  OLD_SECRET_COLUMNS,
  sealedConfigurations,
  sealedOldSecrets,
} from './seals.ts';

/** The statements for the two tables with secrets: current secrets, and old secrets in their grace period. */
const statements = {
  configurations: statementsOf({
    ...{ table: 'configurations', id: 'id', isStored: 'deleted_at IS NULL' },
    columns: ['id', ...CONFIGURATION_COLUMNS],
  }),
  old_secrets: statementsOf({
    ...{ table: 'old_secrets', id: 'configuration_id', isStored: 'true' },
    columns: ["configuration_id || ' ' || version AS id", ...OLD_SECRET_COLUMNS],
  }),
};
const sealedTables = { configurations: sealedConfigurations, old_secrets: sealedOldSecrets };

export type SecretTable = 'configurations' | 'old_secrets';
export const secretTables: readonly SecretTable[] = ['configurations', 'old_secrets'];

interface ScanPosition {
  configurationId: string;
  version: number;
}

export const SCAN_BEGIN: ScanPosition = { configurationId: FIRST_ID, version: 0 };

export interface StoredSecret extends SecretOfVersion {
  configurationId: string;
  /** The row with the secret, as it was when this process locked it. */
  row: SealableRow & { seal: string | null };
}

interface Secrets {
  table: SecretTable;
  id: string;
  /** The condition for rows that have a secret. */
  isStored: string;
  columns: readonly string[];
}

/**
 * Builds the statements that replace the encryption of a table's secrets. They skip secrets that other
 * transactions have locked; a later run finds these. The version of a secret stays the same.
 */
function statementsOf({ table, id, isStored, columns }: Secrets) {
  const isOld = `${isStored} AND secret_key_id = ANY ($1)`;
  return {
    lock: `
      SELECT ${columns.join(', ')}, ${id} AS "configurationId", seal FROM ${table}
      WHERE ${isOld} AND (${id}, version) > ($2::uuid, $3::int)
      ORDER BY ${id}, version LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED`,
    save: `
      UPDATE ${table} t SET secret_key_id = s.key_id, secret_sealed = s.sealed, seal = s.seal
      FROM unnest($1::uuid[], $2::int[], $3::text[], $4::bytea[], $5::text[])
        AS s (id, version, key_id, sealed, seal)
      WHERE t.${id} = s.id AND t.version = s.version AND ${isStored}`,
    count: `SELECT count(*) AS total FROM ${table} WHERE ${isOld}`,
  };
}

/**
 * Locks at most `limit` secrets of a table that are encrypted with one of the keys in `keyIds`. Begins after
 * the position `after`, in the order of configuration and version.
 */
export async function lockSealedWith(
  tx: Transaction,
  table: SecretTable,
  { keyIds, after, limit }: { keyIds: readonly string[]; after: ScanPosition; limit: number },
): Promise<StoredSecret[]> {
  const values = [keyIds, after.configurationId, after.version, limit];
  const rows = await tx.queryUnprepared<SecretRow>(statements[table].lock, values);
  return rows.map((row) => {
    const { configurationId, version, secretKeyId: keyId, secretSealed: sealed } = row;
    return { configurationId, version, keyId, sealed, row };
  });
}

interface SecretRow extends SealableRow {
  configurationId: string;
  version: number;
  secretKeyId: string;
  secretSealed: Buffer;
  seal: string | null;
}

/** Returns false if the row of the secret has no valid seal. */
export function isTrustedSecret(tx: Transaction, table: SecretTable, { row }: StoredSecret): boolean {
  return isTrusted(tx, sealedTables[table], row);
}

export async function saveSealed(
  tx: Transaction,
  table: SecretTable,
  secrets: readonly StoredSecret[],
): Promise<void> {
  const rows = secrets.map(({ row, keyId, sealed }) => ({
    ...{ ...row, secretKeyId: keyId, secretSealed: sealed },
  }));
  await tx.query(statements[table].save, [
    secrets.map(({ configurationId }) => configurationId),
    secrets.map(({ version }) => version),
    secrets.map(({ keyId }) => keyId),
    secrets.map(({ sealed }) => sealed),
    rows.map((row) => sealOf(tx, sealedTables[table], row)),
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
