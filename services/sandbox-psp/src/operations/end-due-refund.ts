import type { Database } from '@plataforma/data';
import { newsOfRefund } from '../domain/callback.ts';
import { endRefund } from '../domain/refund.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockPayment } from '../store/payments.ts';
import { lockDueRefund, saveRefund } from '../store/refunds.ts';

/** Ends one refund that is due and orders its callback; false when none is due. */
export async function endDueRefund(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    const due = await lockDueRefund(tx);
    if (!due) return false;
    const payment = await lockPayment(tx, due.clientId, due.endToEndId);
    if (!payment) throw new Error('the payment of a refund is gone: payments are never deleted');

    const ended = endRefund(due, new Date());
    const refunds = payment.refunds.map((refund) => (refund.id === due.id ? ended : refund));
    await saveRefund(tx, payment.endToEndId, ended);
    await appendCallbacks(tx, [newsOfRefund({ ...payment, refunds }, due.id)]);
    return true;
  });
}
