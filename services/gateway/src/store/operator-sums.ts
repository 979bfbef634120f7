import type { Queryable, Transaction } from '@plataforma/data';
import type { BankDay, Cents } from '@plataforma/kernel';
import type { LoneDecision } from '@plataforma/service';

interface Sums {
  operator: Cents;
  merchant: Cents;
}

/** The number 12 distinguishes these locks from other advisory locks of this database. */
const LOCK = `
  SELECT pg_advisory_xact_lock(12, hash)
  FROM (SELECT DISTINCT hashtext(id) AS hash FROM unnest($1::text[]) AS id ORDER BY 1) AS hashes`;

const SUM = `
  SELECT coalesce(sum(amount_cents) FILTER (WHERE operator_id = $1), 0)::bigint AS operator,
    coalesce(sum(amount_cents) FILTER (WHERE merchant_id = $2), 0)::bigint AS merchant
  FROM operator_sums WHERE (operator_id = $1 OR merchant_id = $2) AND decided_at >= $3 AND decided_at < $4`;

/**
 * Sums the day's decisions of the operator and those about the merchant. Other decisions of either wait until
 * `tx` ends.
 */
export async function lockDecisionsAndSumDay(
  tx: Transaction,
  { operatorId, merchantId }: LoneDecision,
  { from, until }: BankDay,
): Promise<Sums> {
  await tx.query(LOCK, [[operatorId, merchantId]]);
  const [row] = await tx.query<Sums>(SUM, [operatorId, merchantId, from, until]);
  if (!row) throw new Error('a sum has no row');
  return row;
}

const IS_COUNTED = 'SELECT 1 FROM operator_sums WHERE subject_id = $1 AND action = $2 AND operator_id = $3';

export async function isDecisionCounted(
  db: Queryable,
  { subjectId, action, operatorId }: LoneDecision,
): Promise<boolean> {
  return (await db.query(IS_COUNTED, [subjectId, action, operatorId])).length > 0;
}

const INSERT = `
  INSERT INTO operator_sums (subject_id, action, operator_id, merchant_id, amount_cents, decided_at)
  VALUES ($1, $2, $3, $4, $5, $6)`;

export async function insertDecision(
  tx: Transaction,
  { subjectId, action, operatorId, merchantId, amount }: LoneDecision,
  at: Date,
): Promise<void> {
  await tx.query(INSERT, [subjectId, action, operatorId, merchantId, amount, at]);
}
