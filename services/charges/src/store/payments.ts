import type { Queryable, Transaction } from '@plataforma/data';
import type { Charge } from '../domain/charge.ts';
import type { Payment, UnexpectedPayment } from '../domain/payment.ts';

const FIND_KNOWN = 'SELECT end_to_end_id FROM pix_numbers WHERE end_to_end_id = ANY($1)';

/** Which of these payments are recorded, as whatever. */
export async function knownPayments(db: Queryable, endToEndIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ end_to_end_id: string }>(FIND_KNOWN, [endToEndIds]);
  return new Set(rows.map((row) => row.end_to_end_id));
}

/** Takes a payment's number, and answers nothing when it is taken: then the row it belongs to is not written. */
const WITH_NUMBER = `
  WITH number AS (INSERT INTO pix_numbers VALUES ($1) ON CONFLICT DO NOTHING RETURNING end_to_end_id)`;

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

const INSERT_UNEXPECTED = `${WITH_NUMBER}
  INSERT INTO unexpected_payments
    (end_to_end_id, id, environment, merchant_id, charge_id, txid, amount_cents, paid_at, cause, status, next_check_at)
  SELECT end_to_end_id, $2::uuid, $3, $4::uuid, $5::uuid, $6, $7::bigint, $8::timestamptz, $9, 'RETURNING', now()
  FROM number
  RETURNING id`;

/** False: this payment is recorded already, as this or as what paid a charge. */
export async function insertUnexpectedPayment(
  tx: Transaction,
  payment: Omit<UnexpectedPayment, 'status' | 'failure' | 'attempts' | 'returnedAt' | 'doubtedAt'>,
): Promise<boolean> {
  const { id, endToEndId, environment, merchantId, chargeId, txid, amount, paidAt, cause } = payment;
  const values = [endToEndId, id, environment, merchantId, chargeId, txid, amount, paidAt, cause];
  return (await tx.query(INSERT_UNEXPECTED, values)).length === 1;
}
