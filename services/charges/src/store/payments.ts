import type { Queryable, Transaction } from '@plataforma/data';
import type { Charge } from '../domain/charge.ts';
import type { PixReceipt, UnmatchedPayment } from '../domain/payment.ts';
import { WITH_NUMBER } from './unmatched-payments.ts';

const FIND_RECORDED = 'SELECT end_to_end_id FROM pix_numbers WHERE end_to_end_id = ANY($1)';

/** Returns which of these end-to-end ids are already recorded, for a charge or as unmatched payments. */
export async function findRecordedIds(db: Queryable, endToEndIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ end_to_end_id: string }>(FIND_RECORDED, [endToEndIds]);
  return new Set(rows.map((row) => row.end_to_end_id));
}

const INSERT = `${WITH_NUMBER}
  INSERT INTO payments (end_to_end_id, charge_id, merchant_id, environment, amount_cents, paid_at)
  SELECT end_to_end_id, $2::uuid, $3::uuid, $4, $5::bigint, $6::timestamptz FROM number
  RETURNING end_to_end_id`;

/**
 * Records the payment of a charge. Returns false when the payment is already recorded, and so can't pay this
 * charge.
 */
export async function insertPayment(tx: Transaction, charge: Charge, payment: PixReceipt): Promise<boolean> {
  const { endToEndId, amount, paidAt } = payment;
  const values = [endToEndId, charge.id, charge.merchantId, charge.environment, amount, paidAt];
  return (await tx.query(INSERT, values)).length === 1;
}

/** A recorded Pix. `cause` is the reason why it is unmatched, or null when the Pix paid its charge. */
export interface RecordedReceipt {
  endToEndId: string;
  amount: number;
  cause: Exclude<UnmatchedPayment['cause'], 'UNKNOWN_CHARGE'> | null;
}

const RECEIVED = `
  SELECT end_to_end_id AS "endToEndId", amount_cents AS amount, NULL AS cause FROM payments
  WHERE end_to_end_id = ANY($1)
  UNION ALL
  SELECT end_to_end_id, amount_cents, cause FROM unexpected_payments WHERE end_to_end_id = ANY($1)`;
const READ_RECEIVED = `
  SELECT "endToEndId", amount, cause FROM (${RECEIVED}) AS received ORDER BY array_position($1,
  "endToEndId")`;

/** Reads the recorded payments with these end-to-end ids, in the given order. */
export async function readRecordedReceipts(
  db: Queryable,
  endToEndIds: readonly string[],
): Promise<RecordedReceipt[]> {
  return db.query<RecordedReceipt & { [column: string]: unknown }>(READ_RECEIVED, [endToEndIds]);
}
