import type { Database } from '@plataforma/data';
import type { Cents } from '@plataforma/kernel';
import { paymentCallback } from '../domain/callback.ts';
import { type Charge, onlyOne, pay } from '../domain/charge.ts';
import { newPayment, type Payment } from '../domain/payment.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockChargesByTxid, saveCharge } from '../store/charges.ts';
import { appendPayments, findPaymentsOfOrder } from '../store/payments.ts';

interface PayCharge {
  txid: string;
  /**
   * The id of the payer's order. Repeated orders with the same id pay only once. With null, every order pays.
   */
  orderId: string | null;
  /** The paid amount; undefined for the amount of the charge. */
  amount: Cents | undefined;
  times: number;
  isNotified: boolean;
  now: Date;
}

/**
 * Records payments of a charge in any status. The first payment concludes an active charge. The charge's row
 * is locked, so that concurrent orders with the same id pay once.
 */
export async function payCharge(database: Database, order: PayCharge): Promise<Payment[]> {
  return database.transaction(async (tx) => {
    const charge = onlyOne(await lockChargesByTxid(tx, order.txid));
    const existing = order.orderId ? await findPaymentsOfOrder(tx, charge, order.orderId) : [];
    if (existing.length > 0) return existing;
    const paid = pay(charge);
    const payments = Array.from({ length: order.times }, () => paymentFor(charge, order));

    await appendPayments(tx, payments, { chargeTxid: charge.txid, orderId: order.orderId });
    if (paid.status !== charge.status) await saveCharge(tx, paid);
    if (order.isNotified) await appendCallbacks(tx, payments.map(paymentCallback));
    return payments;
  });
}

function paymentFor({ clientId, txid, request }: Charge, { amount, now }: PayCharge): Payment {
  return newPayment({
    clientId,
    txid,
    pixKey: request.pixKey,
    amount: amount ?? request.amount,
    paidAt: now,
  });
}
