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
  /** The id of the disputed payment; undefined for the first payment of the charge. */
  endToEndId: string | undefined;
  /** The id of the new infraction; if undefined, the infraction gets a random id. */
  orderId: string | undefined;
  reason: InfractionReason;
  amount: Cents | undefined;
  description: string | undefined;
  now: Date;
}

/**
 * Records a payer's dispute of a payment. The charge's row is locked, so that concurrent orders with the same
 * id create one infraction.
 */
export async function disputePayment(database: Database, dispute: DisputePayment): Promise<Infraction> {
  return database.transaction(async (tx) => {
    const charge = onlyOne(await lockChargesByTxid(tx, dispute.txid));
    const payment = await findPaymentOf(tx, charge, dispute.endToEndId);
    if (!payment) throw new Refusal('conflict', 'INVALID_STATE', 'this charge was not paid');
    const existing = dispute.orderId && (await findInfraction(tx, charge.clientId, dispute.orderId));
    if (existing) return existing;
    const infraction = openInfraction(payment, dispute);

    const isNew = await insertInfraction(tx, infraction);
    if (!isNew) throw new Refusal('conflict', 'INVALID_STATE', 'the payment is disputed already');
    await appendCallbacks(tx, [infractionCallback(infraction)]);
    return infraction;
  });
}
