import type { Database } from '@plataforma/data';
import { newsOfRefund } from '../domain/callback.ts';
import { endRefund } from '../domain/refund.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockPayment } from '../store/payments.ts';
import { lockDueRefund, saveRefundEnd } from '../store/refunds.ts';

/** Ends one refund that is due, and leaves its receiver to be told; false when none is. */
export async function endDueRefund(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    const due = await lockDueRefund(tx);
    if (!due) return false;
    const payment = await lockPayment(tx, due.clientId, due.endToEndId);
    const refund = payment?.refunds.find(({ id }) => id === due.refundId);
    if (!payment || !refund)
      throw new Error('what was there is gone: payments and refunds are never deleted');

    const ended = endRefund(refund, new Date());
    const refunds = payment.refunds.map((it) => (it === refund ? ended : it));
    await saveRefundEnd(tx, payment.endToEndId, ended);
    await appendCallbacks(tx, [newsOfRefund({ ...payment, refunds }, refund.id)]);
    return true;
  });
}
