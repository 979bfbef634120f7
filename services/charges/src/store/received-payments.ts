import type { Queryable } from '@plataforma/data';
import type { UnexpectedPayment } from '../domain/payment.ts';

/** A payment by its number, and why it paid nothing; null: it paid its charge. */
export interface ReceivedPayment {
  endToEndId: string;
  amount: number;
  cause: Exclude<UnexpectedPayment['cause'], 'UNKNOWN_CHARGE'> | null;
}

const RECEIVED = `
  SELECT end_to_end_id AS "endToEndId", amount_cents AS amount, NULL AS cause FROM payments WHERE end_to_end_id = ANY($1)
  UNION ALL
  SELECT end_to_end_id, amount_cents, cause FROM unexpected_payments WHERE end_to_end_id = ANY($1)`;
const READ_RECEIVED = `
  SELECT "endToEndId", amount, cause FROM (${RECEIVED}) AS received ORDER BY array_position($1, "endToEndId")`;

/** What became of the payments with these numbers, in their order; one that is not recorded is left out. */
export async function readReceived(
  db: Queryable,
  endToEndIds: readonly string[],
): Promise<ReceivedPayment[]> {
  return db.query<ReceivedPayment & { [column: string]: unknown }>(READ_RECEIVED, [endToEndIds]);
}
