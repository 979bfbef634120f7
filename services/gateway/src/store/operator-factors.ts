import type { Queryable, SealedSecret, Transaction } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import type { Factor } from '../domain/factor.ts';
import { metrics } from '../metrics.ts';

interface StoredFactor extends Factor, SealedSecret {
  operatorId: string;
}

const COLUMNS = `operator_id AS "operatorId", key_id AS "keyId", sealed, confirmed_at AS "confirmedAt",
  last_step AS "lastStep", wrong_codes AS "wrongCodes", locked_until AS "lockedUntil"`;

const LOCK = `SELECT ${COLUMNS} FROM operator_factors WHERE operator_id = $1 FOR UPDATE`;

const INSERT = `
  INSERT INTO operator_factors (operator_id, key_id, sealed, created_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT DO NOTHING`;

/**
 * Locks the second factor of an operator. Creates an unconfirmed one with the secret that `seal` returns if
 * there is none.
 */
export async function lockOrCreateFactor(
  tx: Transaction,
  { operatorId, now, seal }: { operatorId: string; now: Date; seal: () => SealedSecret },
): Promise<StoredFactor> {
  const [factor] = await tx.query<StoredFactor>(LOCK, [operatorId]);
  if (factor) return factor;
  const { keyId, sealed } = seal();
  await tx.query(INSERT, [operatorId, keyId, sealed, now]);
  return lockOrCreateFactor(tx, { operatorId, now, seal });
}

const SAVE = `
  UPDATE operator_factors SET confirmed_at = $2, last_step = $3, wrong_codes = $4, locked_until = $5
  WHERE operator_id = $1`;

export async function saveFactor(tx: Transaction, operatorId: string, factor: Factor): Promise<void> {
  const { confirmedAt, lastStep, wrongCodes, lockedUntil } = factor;
  await tx.query(SAVE, [operatorId, confirmedAt, lastStep, wrongCodes, lockedUntil]);
}

/** Deletes the second factor of an operator with its recovery codes. Returns false if there is none. */
export async function deleteFactor(tx: Transaction, operatorId: string): Promise<boolean> {
  const DELETE = 'DELETE FROM operator_factors WHERE operator_id = $1 RETURNING 1';
  return (await tx.query(DELETE, [operatorId])).length > 0;
}

const INSERT_CODES = `
  INSERT INTO operator_recovery_codes (operator_id, code_hash) SELECT $1, unnest($2::text[])`;

export async function insertRecoveryCodes(tx: Transaction, operatorId: string, hashes: string[]) {
  await tx.query(INSERT_CODES, [operatorId, hashes]);
}

const USE_CODE = `
  DELETE FROM operator_recovery_codes WHERE operator_id = $1 AND code_hash = $2 RETURNING 1`;

/** Uses up a recovery code. Returns false if there is no such code. */
export async function useRecoveryCode(tx: Transaction, operatorId: string, hash: string): Promise<boolean> {
  return (await tx.query(USE_CODE, [operatorId, hash])).length > 0;
}

const LOCK_SEALED = `
  SELECT ${COLUMNS} FROM operator_factors WHERE key_id = ANY($1) AND operator_id > $2
  ORDER BY operator_id LIMIT 1 FOR UPDATE`;

/** Locks the factor with the next higher operator id whose secret is sealed with one of these keys. */
export async function lockSealedFactor(
  tx: Transaction,
  keyIds: readonly string[],
  after: string,
): Promise<StoredFactor | null> {
  const [factor] = await tx.query<StoredFactor>(LOCK_SEALED, [keyIds, after]);
  return factor ?? null;
}

const SAVE_SEALED = 'UPDATE operator_factors SET key_id = $2, sealed = $3 WHERE operator_id = $1';

export async function saveSealedFactor(
  tx: Transaction,
  operatorId: string,
  { keyId, sealed }: SealedSecret,
): Promise<void> {
  await tx.query(SAVE_SEALED, [operatorId, keyId, sealed]);
}

const COUNT_RESETS = `
  SELECT count(*)::integer AS count FROM audit_log
  WHERE action = 'operator.reset_factor' AND at > now() - interval '1 hour'`;

export async function readFactorGauges(db: Queryable): Promise<GaugeSample[]> {
  const [row] = await db.query<{ count: number }>(COUNT_RESETS);
  return [metrics.gauge('plataforma_operator_factors_reset', {}, row?.count ?? 0)];
}
