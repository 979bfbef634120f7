import type { Transaction } from '@plataforma/data';
import type { UnexpectedPayment } from '../domain/payment.ts';

/** Takes a payment's number, and answers nothing when it is taken: then the row it belongs to is not written. */
export const WITH_NUMBER = `
  WITH number AS (INSERT INTO pix_numbers VALUES ($1) ON CONFLICT DO NOTHING RETURNING end_to_end_id)`;

const CHECKOUT = `
  SELECT payment_link_id AS "paymentLinkId", checkout_id AS "checkoutId" FROM charges WHERE id = $1 AND checkout_id IS NOT NULL`;

/** The visit, and its link, that have made a charge; nothing of a charge that was made otherwise. */
export async function checkoutOf(tx: Transaction, chargeId: string): Promise<object> {
  return (await tx.query<{ paymentLinkId: string; checkoutId: string }>(CHECKOUT, [chargeId]))[0] ?? {};
}

const INSERT_UNEXPECTED = `${WITH_NUMBER}
  INSERT INTO unexpected_payments
    (end_to_end_id, id, environment, merchant_id, charge_id, txid, amount_cents, paid_at, cause, status, next_check_at,
     created_at)
  SELECT end_to_end_id, $2::uuid, $3, $4::uuid, $5::uuid, $6, $7::bigint, $8::timestamptz, $9, 'RETURNING', now(),
    now() + $10::double precision * interval '1 millisecond'
  FROM number
  RETURNING id`;

/** Its arrival is dated so much ahead. False: this payment is recorded already, as this or as what paid a charge. */
export async function insertUnexpectedPayment(
  tx: Transaction,
  payment: Omit<
    UnexpectedPayment,
    'status' | 'reference' | 'failure' | 'attempts' | 'returnedAt' | 'doubtedAt'
  >,
  aheadMs: number,
): Promise<boolean> {
  const { id, endToEndId, environment, merchantId, chargeId, txid, amount, paidAt, cause } = payment;
  const values = [endToEndId, id, environment, merchantId, chargeId, txid, amount, paidAt, cause, aheadMs];
  return (await tx.query(INSERT_UNEXPECTED, values)).length === 1;
}
