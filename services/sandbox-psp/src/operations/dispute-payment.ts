import type { Database } from '@plataforma/data';
import { type Cents, Refusal } from '@plataforma/kernel';
import { infractionCallback } from '../domain/callback.ts';
import { onlyOne } from '../domain/charge.ts';
import { type Infraction, type InfractionReason, openInfraction } from '../domain/infraction.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockChargesByTxid } from '../store/charges.ts';
import { findInfraction, insertInfraction } from '../store/infractions.ts';
import { findPaymentOf } from '../store/payments.ts';

interface DisputePayment {
  txid: string;
  /** Undefined: the first payment of the charge. */
  endToEndId: string | undefined;
  /** The infraction's id; undefined: it gets one. */
  orderId: string | undefined;
  reason: InfractionReason;
  amount: Cents | undefined;
  description: string | undefined;
  now: Date;
}

/** The payer's bank reports a payment of a charge; the charge's lock decides between two of the same order. */
export async function disputePayment(database: Database, dispute: DisputePayment): Promise<Infraction> {
  return database.transaction(async (tx) => {
    const charge = onlyOne(await lockChargesByTxid(tx, dispute.txid));
    const payment = await findPaymentOf(tx, charge, dispute.endToEndId);
    if (!payment) throw new Refusal('conflict', 'INVALID_STATE', 'nobody has paid this charge');
    const existing = dispute.orderId && (await findInfraction(tx, charge.clientId, dispute.orderId));
    if (existing) return existing;
    const infraction = openInfraction(payment, dispute);

    const isNew = await insertInfraction(tx, infraction);
    if (!isNew) throw new Refusal('conflict', 'INVALID_STATE', 'the payment is disputed already');
    await appendCallbacks(tx, [infractionCallback(infraction)]);
    return infraction;
  });
}
