import type { Database } from '@plataforma/data';
import { type Cents, Refusal } from '@plataforma/kernel';
import { newsOfInfraction } from '../domain/callback.ts';
import { onlyOne } from '../domain/charge.ts';
import { type Infraction, type InfractionReason, openInfraction } from '../domain/infraction.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockChargesByTxid } from '../store/charges.ts';
import { insertInfraction } from '../store/infractions.ts';
import { findFirstPayment } from '../store/payments.ts';

interface DisputePayment {
  txid: string;
  reason: InfractionReason;
  amount: Cents | undefined;
  description: string | undefined;
  now: Date;
}

/** The payer's bank reports the first payment of a charge. */
export async function disputePayment(database: Database, dispute: DisputePayment): Promise<Infraction> {
  return database.transaction(async (tx) => {
    const charge = onlyOne(await lockChargesByTxid(tx, dispute.txid));
    const payment = await findFirstPayment(tx, charge);
    if (!payment) throw new Refusal('conflict', 'INVALID_STATE', 'nobody has paid this charge');
    const infraction = openInfraction(payment, dispute);

    const isNew = await insertInfraction(tx, infraction);
    if (!isNew) throw new Refusal('conflict', 'INVALID_STATE', 'the payment is disputed already');
    await appendCallbacks(tx, [newsOfInfraction(infraction)]);
    return infraction;
  });
}
