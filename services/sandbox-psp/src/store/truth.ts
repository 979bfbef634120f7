import type { Queryable } from '@plataforma/data';
import type { Payment } from '../domain/payment.ts';
import { PAYMENT_COLUMNS, type PaymentRow, paymentOf } from './payments.ts';

/** A payment, and how far the news of it has got; null when nobody was to be told. */
export interface ToldPayment {
  payment: Payment;
  callback: { state: string; attempts: number } | null;
}

const LIST = `
  SELECT ${PAYMENT_COLUMNS}, callbacks.state, callbacks.attempts
  FROM payments LEFT JOIN callbacks
    ON callbacks.kind = 'PAYMENT' AND callbacks.subject = payments.end_to_end_id
  ORDER BY payments.position`;

export async function listAllPayments(db: Queryable): Promise<ToldPayment[]> {
  const rows = await db.query<PaymentRow & { state: string | null; attempts: number | null }>(LIST);
  return rows.map(({ state, attempts, ...row }) => ({
    payment: paymentOf(row),
    callback: state === null || attempts === null ? null : { state, attempts },
  }));
}
