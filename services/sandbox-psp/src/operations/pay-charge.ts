import type { Database } from '@plataforma/chassis';
import { type Cents, Refusal } from '@plataforma/kernel';
import { type Charge, pay } from '../domain/charge.ts';
import { newEndToEndId, type Payment } from '../domain/payment.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockChargesByTxid, saveCharge } from '../store/charges.ts';
import { appendPayments } from '../store/payments.ts';

/** Sent when a transaction that committed has left callbacks to send. */
export const CALLBACKS_SIGNAL = 'callbacks';

interface PayCharge {
  txid: string;
  /** Undefined: what the charge asks for. */
  amount: Cents | undefined;
  times: number;
  isNotified: boolean;
  now: Date;
}

/** Payers send money for a charge, whatever has become of it; the first payment concludes an active one. */
export async function payCharge(database: Database, order: PayCharge): Promise<Payment[]> {
  return database.transaction(async (tx) => {
    const charge = onlyOne(await lockChargesByTxid(tx, order.txid));
    const paid = pay(charge);
    const payments = Array.from({ length: order.times }, () => paymentFor(charge, order));

    await appendPayments(tx, payments);
    if (paid.status !== charge.status) await saveCharge(tx, paid);
    if (order.isNotified) {
      await appendCallbacks(tx, payments);
      tx.signalAfterCommit(CALLBACKS_SIGNAL);
    }
    return payments;
  });
}

function paymentFor({ clientId, txid, terms }: Charge, { amount, now }: PayCharge): Payment {
  const endToEndId = newEndToEndId(now);
  return { endToEndId, clientId, txid, pixKey: terms.pixKey, amount: amount ?? terms.amount, paidAt: now };
}

function onlyOne([charge, ...others]: Charge[]): Charge {
  if (!charge) throw new Refusal('missing', 'NOT_FOUND', 'there is no charge with this txid');
  if (others.length > 0)
    throw new Refusal('conflict', 'INVALID_STATE', 'several receivers have a charge with this txid');
  return charge;
}
