import type { Database, Transaction } from '@plataforma/data';
import { cardCallback, type NewCallback, payoutCallback, refundCallback } from '../domain/callback.ts';
import { endCardCharge } from '../domain/card-charge.ts';
import { endPayout } from '../domain/payout.ts';
import { endRefund } from '../domain/refund.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockDueCardCharge, saveCardCharge } from '../store/card-charges.ts';
import { lockPayment } from '../store/payments.ts';
import { lockDuePayout, savePayout } from '../store/payouts.ts';
import { lockDueRefund, saveRefund } from '../store/refunds.ts';

/**
 * Returns a function that ends one refund, payout or card charge whose end is due, and queues its callback.
 * The function returns false if no end is due.
 */
function ending<T>(
  lock: (tx: Transaction) => Promise<T | undefined>,
  end: (tx: Transaction, due: T, now: Date) => Promise<NewCallback>,
): (database: Database) => Promise<boolean> {
  return (database) =>
    database.transaction(async (tx) => {
      const due = await lock(tx);
      if (!due) return false;
      await appendCallbacks(tx, [await end(tx, due, new Date())]);
      return true;
    });
}

export const endDueRefund = ending(lockDueRefund, async (tx, due, now) => {
  const payment = await lockPayment(tx, due.clientId, due.endToEndId);
  if (!payment) throw new Error('the payment of a refund is missing: payments are never deleted');
  const ended = endRefund(due, now);
  await saveRefund(tx, payment.endToEndId, ended);
  const refunds = payment.refunds.map((refund) => (refund.id === due.id ? ended : refund));
  return refundCallback({ ...payment, refunds }, due.id);
});

export const endDueCardCharge = ending(lockDueCardCharge, async (tx, due, now) => {
  const ended = endCardCharge(due, now);
  await saveCardCharge(tx, ended);
  return cardCallback(ended.status === 'paid' ? 'charge.paid' : 'charge.payment_failed', ended, now);
});

export const endDuePayout = ending(lockDuePayout, async (tx, due, now) => {
  const ended = endPayout(due, now);
  await savePayout(tx, ended);
  return payoutCallback(ended);
});
