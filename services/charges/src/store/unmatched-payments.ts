import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { aheadOf } from '@plataforma/service';
import { announce } from '@plataforma/tables';
import { type UnmatchedMoney, unmatchedPaymentEvent } from '../domain/announcements.ts';
import { returnEndToEndIdOf, type UnmatchedPayment } from '../domain/payment.ts';
import { sealOfArrival } from './sealed-returns.ts';

/**
 * Records an end-to-end id. Returns no row when the id is recorded already, so that the same payment is not
 * recorded twice.
 */
export const WITH_NUMBER = `
  WITH number AS (INSERT INTO pix_numbers VALUES ($1) ON CONFLICT DO NOTHING RETURNING end_to_end_id)`;

const CHECKOUT = `
  SELECT payment_link_id AS "paymentLinkId", checkout_id AS "checkoutId" FROM charges WHERE id = $1
  AND checkout_id IS NOT NULL`;

const INSERT_UNMATCHED = `${WITH_NUMBER}
  INSERT INTO unexpected_payments
    (end_to_end_id, id, environment, merchant_id, charge_id, txid, amount_cents, paid_at, cause, status,
    next_check_at,
     created_at, seal)
  SELECT end_to_end_id, $2::uuid, $3, $4::uuid, $5::uuid, $6, $7::bigint, $8::timestamptz, $9, 'RETURNING',
  now(),
    now() + $10::double precision * interval '1 millisecond', $11
  FROM number
  RETURNING id`;

type Arrival = Omit<
  UnmatchedPayment,
  'id' | 'status' | 'reference' | 'failure' | 'attempts' | 'returnedAt' | 'unconfirmedAt'
>;

/**
 * Records an unmatched payment once, and announces it to the ledger and the merchant. The scheduler returns
 * the payment to its payer.
 */
export async function recordUnmatched(tx: Transaction, arrival: Arrival): Promise<void> {
  const { endToEndId, environment, merchantId, chargeId, txid, amount, paidAt, cause } = arrival;
  const id = newId();
  const aheadMs = merchantId === null ? 0 : await aheadOf(tx, { merchantId, environment });
  const payment = { ...arrival, id, status: 'RETURNING', reference: null, returnedAt: null } as const;
  const owner = [endToEndId, id, environment, merchantId, chargeId];
  const values = [...owner, txid, amount, paidAt, cause, aheadMs, sealOfArrival(tx, payment)];
  const [inserted] = await tx.query(INSERT_UNMATCHED, values);
  if (!inserted) return;
  await announceToLedger(tx, payment);
  await announceToMerchant(tx, payment);
}

export async function announceToLedger(tx: Transaction, payment: UnmatchedMoney): Promise<void> {
  await announce(tx, unmatchedPaymentEvent(payment));
}

type Shown = Omit<UnmatchedPayment, 'failure' | 'attempts' | 'unconfirmedAt'>;

/**
 * Announces the arrival of the payment, or the end of its return, to the merchant whose charge the payment
 * names.
 */
export async function announceToMerchant(tx: Transaction, payment: Shown): Promise<void> {
  const { id, merchantId, chargeId, cause, environment, txid, endToEndId, amount, status } = payment;
  if (!merchantId || !chargeId || cause === 'UNKNOWN_CHARGE') return;
  const at = { paidAt: payment.paidAt.toISOString(), returnedAt: payment.returnedAt?.toISOString() ?? null };
  const [checkout] = await tx.query<{ paymentLinkId: string; checkoutId: string }>(CHECKOUT, [chargeId]);
  const returnEndToEndId = returnEndToEndIdOf(payment);
  const names = { id, chargeId, ...checkout, txid, endToEndId, returnEndToEndId };
  const data = { ...names, amount, cause, status, ...at };
  const sequence = status === 'RETURNING' ? 1 : 2;
  const about = { merchantId, environment, aggregateId: id, sequence };
  await announce(tx, { ...about, type: 'payment.unexpected', data });
}
