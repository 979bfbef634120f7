import type { Transaction } from '@plataforma/data';
import type { Payment } from '../domain/payment.ts';
import { findFirstPayment, findPayment } from '../store/payments.ts';

/** Finds a payment of a charge by its end-to-end id, or else the first one. */
export async function findPaymentOf(
  tx: Transaction,
  charge: { txid: string; clientId: string },
  endToEndId: string | undefined,
): Promise<Payment | undefined> {
  if (endToEndId === undefined) return findFirstPayment(tx, charge);
  const payment = await findPayment(tx, charge.clientId, endToEndId);
  return payment?.txid === charge.txid ? payment : undefined;
}
