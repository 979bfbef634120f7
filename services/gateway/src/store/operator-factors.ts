import { columnsOf, type Queryable, type SealedSecret, type Transaction } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { isTrusted, rowsToSeal, saveSeal, sealOf } from '@plataforma/tables';
import type { Factor } from '../domain/factor.ts';
import { metrics } from '../metrics.ts';
import { lockOperator, saveFactorTime } from './operators.ts';

interface StoredFactor extends Factor, SealedSecret {
  operatorId: string;
  seal: string | null;
}

const COLUMNS = columnsOf(`
  operator_id, key_id, sealed, created_at, confirmed_at, last_step, wrong_codes, locked_until, seal`);
const CODE_COLUMNS = columnsOf('operator_id, code_hash, seal');
/** The second factors, for a command that seals existing rows. */
export const factorsToSeal = rowsToSeal('operator_factors', COLUMNS, { key: 'operator_id' });
/** The recovery codes, for a command that seals existing rows. */
export const recoveryCodesToSeal = rowsToSeal('operator_recovery_codes', CODE_COLUMNS, {
  key: "operator_id || ' ' || code_hash",
  keyType: 'text',
});

const withId = (factor: StoredFactor) => ({ ...factor, id: factor.operatorId });

/** Returns false if the second factor has no valid seal. */
export function isFactorTrusted(db: Queryable, factor: StoredFactor): boolean {
  return isTrusted(db, factorsToSeal.table, withId(factor));
}

async function sealFactor(tx: Transaction, [factor]: readonly StoredFactor[]): Promise<void> {
  await saveSeal(tx, factorsToSeal, factor && withId(factor));
}

const LOCK = `SELECT ${COLUMNS} FROM operator_factors WHERE operator_id = $1 FOR UPDATE`;

const INSERT = `
  INSERT INTO operator_factors (operator_id, key_id, sealed, created_at) VALUES ($1, $2, $3, $4)
  RETURNING ${COLUMNS}`;

/**
 * Locks an operator and the second factor. If there is no factor, creates an unconfirmed one with the secret
 * that `seal` returns. Returns null if the factor or the operator has no valid seal, or if the operator has
 * confirmed another factor.
 */
export async function lockOrCreateFactor(
  tx: Transaction,
  { operatorId, now, seal }: { operatorId: string; now: Date; seal: () => SealedSecret },
): Promise<StoredFactor | null> {
  const operator = await lockOperator(tx, operatorId);
  const [factor] = await tx.query<StoredFactor>(LOCK, [operatorId]);
  if (!operator || operator.factorAt?.getTime() !== factor?.confirmedAt?.getTime()) return null;
  if (factor) return isFactorTrusted(tx, factor) ? factor : null;
  const { keyId, sealed } = seal();
  const created = await tx.query<StoredFactor>(INSERT, [operatorId, keyId, sealed, now]);
  await sealFactor(tx, created);
  return created[0] ?? null;
}

const SAVE = `
  UPDATE operator_factors SET confirmed_at = $2, last_step = $3, wrong_codes = $4, locked_until = $5
  WHERE operator_id = $1 RETURNING ${COLUMNS}`;

/** Saves a second factor that `lockOrCreateFactor` has locked. */
export async function saveFactor(tx: Transaction, operatorId: string, factor: Factor): Promise<void> {
  const { confirmedAt, lastStep, wrongCodes, lockedUntil } = factor;
  const values = [operatorId, confirmedAt, lastStep, wrongCodes, lockedUntil];
  await sealFactor(tx, await tx.query<StoredFactor>(SAVE, values));
}

/**
 * Deletes the second factor of an operator, whom the transaction has locked, with its recovery codes. Returns
 * false if there is none.
 */
export async function deleteFactor(tx: Transaction, operatorId: string): Promise<boolean> {
  const DELETE = 'DELETE FROM operator_factors WHERE operator_id = $1 RETURNING 1';
  const had = (await tx.query(DELETE, [operatorId])).length > 0;
  await saveFactorTime(tx, operatorId, null);
  return had;
}

interface RecoveryCode {
  operatorId: string;
  codeHash: string;
}

const codeRow = (code: RecoveryCode) => ({ ...code, id: `${code.operatorId} ${code.codeHash}` });

const INSERT_CODES = `
  INSERT INTO operator_recovery_codes (operator_id, code_hash, seal)
  SELECT $1, unnest($2::text[]), unnest($3::text[])`;

export async function insertRecoveryCodes(tx: Transaction, operatorId: string, hashes: string[]) {
  const rows = hashes.map((codeHash) => codeRow({ operatorId, codeHash }));
  const seals = rows.map((row) => sealOf(tx, recoveryCodesToSeal.table, row));
  await tx.query(INSERT_CODES, [operatorId, hashes, seals]);
}

const USE_CODE = `
  DELETE FROM operator_recovery_codes WHERE operator_id = $1 AND code_hash = $2 RETURNING ${CODE_COLUMNS}`;

/** Uses up a recovery code. Returns false if there is no such code with a valid seal. */
export async function useRecoveryCode(tx: Transaction, operatorId: string, hash: string): Promise<boolean> {
  const [code] = await tx.query<RecoveryCode & { seal: string | null }>(USE_CODE, [operatorId, hash]);
  return code !== undefined && isTrusted(tx, recoveryCodesToSeal.table, { ...code, ...codeRow(code) });
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

const SAVE_SEALED = `
  UPDATE operator_factors SET key_id = $2, sealed = $3 WHERE operator_id = $1 RETURNING ${COLUMNS}`;

export async function saveSealedFactor(
  tx: Transaction,
  operatorId: string,
  { keyId, sealed }: SealedSecret,
): Promise<void> {
  await sealFactor(tx, await tx.query<StoredFactor>(SAVE_SEALED, [operatorId, keyId, sealed]));
}

const ACTIONS = ['operator.reset_factor', 'operator.add_passkey', 'operator.refuse_passkey'];
const COUNT = `
  SELECT action, count(*)::integer AS count FROM audit_log
  WHERE action = ANY($1) AND at > now() - interval '1 hour' GROUP BY action`;

/** Counts reset factors and added or refused passkeys of the last hour, which operators must explain. */
export async function readFactorGauges(db: Queryable): Promise<GaugeSample[]> {
  const rows = await db.query<{ action: string; count: number }>(COUNT, [ACTIONS]);
  const counts = new Map(rows.map(({ action, count }) => [action, count]));
  const [resets = 0, added = 0, refused = 0] = ACTIONS.map((action) => counts.get(action) ?? 0);
  return [
    metrics.gauge('plataforma_operator_factors_reset', {}, resets),
    metrics.gauge('plataforma_operator_passkeys', { event: 'added' }, added),
    metrics.gauge('plataforma_operator_passkeys', { event: 'refused' }, refused),
  ];
}
