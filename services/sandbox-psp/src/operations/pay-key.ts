import type { Database } from '@plataforma/data';
import { type Cents, Refusal } from '@plataforma/kernel';
import { paymentCallback } from '../domain/callback.ts';
import type { Client } from '../domain/client.ts';
import { newPayment, type Payment } from '../domain/payment.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockCharge } from '../store/charges.ts';
import { appendPayments } from '../store/payments.ts';

interface PayKey {
  client: Client;
  amount: Cents;
  txid: string | null;
  isNotified: boolean;
  now: Date;
}

/** Records a payment without a charge: the payer used a static code or only the receiver's key. */
export async function payKey(
  database: Database,
  { client, amount, txid, ...order }: PayKey,
): Promise<Payment> {
  return database.transaction(async (tx) => {
    if (txid !== null && (await lockCharge(tx, client.id, txid))) {
      throw new Refusal('conflict', 'INVALID_STATE', 'a charge has this txid: pay the charge');
    }
    const payment = newPayment({
      clientId: client.id,
      txid,
      pixKey: client.pixKey,
      amount,
      paidAt: order.now,
    });

    await appendPayments(tx, [payment], { chargeTxid: null });
    if (order.isNotified) await appendCallbacks(tx, [paymentCallback(payment)]);
    return payment;
  });
}
