import type { Database } from '@plataforma/data';
import { type Cents, Refusal } from '@plataforma/kernel';
import { onlyOne } from '../domain/charge.ts';
import { type Nature, type Refund, takeBack } from '../domain/refund.ts';
import { lockChargesByTxid } from '../store/charges.ts';
import { findPaymentOf, lockPayment } from '../store/payments.ts';
import { appendRefund } from '../store/refunds.ts';

interface TakePaymentBack {
  txid: string;
  /** The id of the payment to return; undefined for the first payment of the charge. */
  endToEndId: string | undefined;
  /** The id of the refund. A repeated order with the same id returns the same refund. */
  orderId: string;
  amount: Cents;
  nature: Nature;
  now: Date;
}

/**
 * Returns money of a payment to the payer without an order of the receiver, for example after the receiver
 * has lost a dispute.
 */
export async function takePaymentBack(database: Database, order: TakePaymentBack): Promise<Refund> {
  const { txid, orderId, amount, nature, now: requestedAt } = order;
  return database.transaction(async (tx) => {
    const { clientId } = onlyOne(await lockChargesByTxid(tx, txid));
    const found = await findPaymentOf(tx, { txid, clientId }, order.endToEndId);
    const payment = found && (await lockPayment(tx, clientId, found.endToEndId));
    if (!payment) throw new Refusal('conflict', 'INVALID_STATE', 'this charge was not paid');
    const refund = takeBack(payment, { id: orderId.replaceAll('-', ''), amount, nature, requestedAt });
    if (!payment.refunds.includes(refund)) await appendRefund(tx, refund, payment);
    return refund;
  });
}
