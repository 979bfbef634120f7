import type { Queryable, Transaction } from '@plataforma/data';
import type { Charge } from '../domain/charge.ts';
import type { Payment } from '../domain/payment.ts';
import { WITH_NUMBER } from './unexpected-arrivals.ts';

const FIND_KNOWN = 'SELECT end_to_end_id FROM pix_numbers WHERE end_to_end_id = ANY($1)';

/** Which of these payments are recorded, as whatever. */
export async function knownPayments(db: Queryable, endToEndIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ end_to_end_id: string }>(FIND_KNOWN, [endToEndIds]);
  return new Set(rows.map((row) => row.end_to_end_id));
}

const INSERT = `${WITH_NUMBER}
  INSERT INTO payments (end_to_end_id, charge_id, merchant_id, environment, amount_cents, paid_at)
  SELECT end_to_end_id, $2::uuid, $3::uuid, $4, $5::bigint, $6::timestamptz FROM number
  RETURNING end_to_end_id`;

/** Records the payment that paid the charge. False: it is recorded already, and can't pay this charge. */
export async function insertPayment(tx: Transaction, charge: Charge, payment: Payment): Promise<boolean> {
  const { endToEndId, amount, paidAt } = payment;
  const values = [endToEndId, charge.id, charge.merchantId, charge.environment, amount, paidAt];
  return (await tx.query(INSERT, values)).length === 1;
}
