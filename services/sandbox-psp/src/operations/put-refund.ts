import type { Database } from '@plataforma/data';
import type { Cents } from '@plataforma/kernel';
import { PixProblem } from '../domain/pix-problem.ts';
import { endOfAmount, type Refund, requestRefund } from '../domain/refund.ts';
import { refusesRefunds } from '../store/charges.ts';
import { lockPayment } from '../store/payments.ts';
import { appendRefund } from '../store/refunds.ts';

interface PutRefund {
  clientId: string;
  endToEndId: string;
  id: string;
  amount: Cents;
  description: string | null;
  now: Date;
  /** Milliseconds until the refund ends. A magic amount may have a longer delay. */
  delayMs: number;
}

/** Begins a refund of a payment. If the payment has a refund with this id and amount, returns that refund. */
export async function putRefund(database: Database, order: PutRefund): Promise<Refund> {
  const { clientId, endToEndId, id, amount, description, now: requestedAt, delayMs } = order;
  return database.transaction(async (tx) => {
    const payment = await lockPayment(tx, clientId, endToEndId);
    if (!payment) throw new PixProblem('PixNaoEncontrado');
    const end = endOfAmount(amount);
    const isRefused = end.isRefused || (await refusesRefunds(tx, payment));

    const refund = requestRefund(payment, { id, amount, description, isRefused, requestedAt });
    if (!payment.refunds.includes(refund))
      await appendRefund(tx, refund, { endToEndId, delayMs: Math.max(delayMs, end.delayMs) });
    return refund;
  });
}
