import type { Transaction } from '@plataforma/data';
import type { BankDay, Cents } from '@plataforma/kernel';
import type { LoneDecision } from '@plataforma/service';

interface Sums {
  operator: Cents;
  merchant: Cents;
  /** The part of the operator's sum that comes from this decision. */
  decision: Cents;
}

/** The number 12 distinguishes these locks from other advisory locks of this database. */
const LOCK = `
  SELECT pg_advisory_xact_lock(12, hash)
  FROM (SELECT DISTINCT hashtext(id) AS hash FROM unnest($1::text[]) AS id ORDER BY 1) AS hashes`;

const SUM = `
  SELECT coalesce(sum(amount_cents) FILTER (WHERE operator_id = $1), 0)::bigint AS operator,
    coalesce(sum(amount_cents) FILTER (WHERE merchant_id = $2), 0)::bigint AS merchant,
    coalesce(sum(amount_cents) FILTER (WHERE operator_id = $1 AND merchant_id = $2 AND subject_id = $5
      AND action = $6), 0)::bigint AS decision
  FROM operator_sums WHERE (operator_id = $1 OR merchant_id = $2) AND decided_at >= $3 AND decided_at < $4`;

/**
 * Sums the day's decisions of the operator and those about the merchant. Until `tx` ends, other decisions by
 * this operator or about this merchant wait.
 */
export async function lockDecisionsAndSumDay(
  tx: Transaction,
  { operatorId, merchantId, subjectId, action }: LoneDecision,
  { from, until }: BankDay,
): Promise<Sums> {
  await tx.query(LOCK, [[operatorId, merchantId]]);
  const values = [operatorId, merchantId, from, until, subjectId, action];
  const [row] = await tx.query<Sums>(SUM, values);
  if (!row) throw new Error('a sum has no row');
  return row;
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
