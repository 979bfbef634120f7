import type { Database, Transaction } from '@plataforma/data';
import { Refusal, type Whose } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type Charge, demandStatusAfter } from '../domain/charge.ts';
import { type Payment, type ProviderCharge, settle } from '../domain/payment.ts';
import { failPoint, sometimes } from '../fail-points.ts';
import { lockCharge, saveCharge } from '../store/charges.ts';
import { lockUse } from '../store/completed-checkouts.ts';
import { insertPayment, knownPayments } from '../store/payments.ts';
import { announcePaid } from './announce-paid.ts';
import { recordUnexpected } from './record-unexpected.ts';

export interface AskProvider {
  database: Database;
  /** The Pix provider of each environment, of which a charge's is asked what it knows by our txid. */
  pix: (whose: Whose) => { find(txid: string): Promise<ProviderCharge | null> };
  log: Log;
}

/**
 * Asks the provider what it received for a charge, believes only that, records it, and answers what the provider knows.
 * Null: it never heard of the charge, which of one that it gave a code to is no answer, and must not pass for "unpaid".
 */
export async function askProvider(
  { database, pix, log }: AskProvider,
  charge: Charge,
): Promise<ProviderCharge | null> {
  const known = await pix(charge).find(charge.txid);
  failPoint('charge.inspected');
  if (known && known.payments.length > 0) await recordPayments({ database, log }, charge.id, known.payments);
  if (known || charge.qrCode === null) return known;
  throw new Refusal('provider_fault', 'PROVIDER_ERROR', 'the Pix provider does not know the charge any more');
}

/** Records payments the provider vouches for, and moves the charge to PAID by the first that fits. */
export async function recordPayments(
  { database, log }: Pick<AskProvider, 'database' | 'log'>,
  chargeId: string,
  payments: readonly Payment[],
): Promise<void> {
  await database.transaction(async (tx) => {
    const charge = await lockPayable(tx, chargeId);
    const numbers = payments.map(({ endToEndId }) => endToEndId);
    const { paidBy, unexpected } = settle(charge, payments, await knownPayments(tx, numbers));
    if (paidBy) await pay(tx, charge, paidBy);
    const { environment, merchantId, txid } = charge;
    for (const { payment, cause } of unexpected) {
      await recordUnexpected(tx, { ...payment, environment, merchantId, chargeId, txid, cause });
      log.warn({ chargeId, cause }, 'an unexpected payment was recorded');
    }
  });
  failPoint('payment.recorded');
}

/** Cancels a charge whose link others have paid as often as it can be: its payment is late, and goes back. */
async function lockPayable(tx: Transaction, id: string): Promise<Charge> {
  const charge = await lockCharge(tx, id);
  if (charge.status !== 'PENDING' || (await lockUse(tx, charge))) return charge;
  const status = demandStatusAfter(charge.status, 'cancel');
  const cancelled = { ...charge, status, sequence: charge.sequence + 1 };
  await saveCharge(tx, cancelled);
  return cancelled;
}

async function pay(tx: Transaction, charge: Charge, payment: Payment): Promise<void> {
  const status = demandStatusAfter(charge.status, 'pay');
  const { endToEndId, paidAt } = payment;
  if (charge.qrCode === null) sometimes('payment confirmed before its charge was answered for');
  const paid = { ...charge, status, paidAt, endToEndId, sequence: charge.sequence + 1 };
  if (!(await insertPayment(tx, charge, payment))) throw recordedMeanwhile();
  await saveCharge(tx, paid);
  await announcePaid(tx, paid);
}

/** By somebody who holds another charge, or none; the next look finds it among the known. */
function recordedMeanwhile(): Refusal {
  const message = 'the payment was recorded as another one’s at this moment; it is looked at again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
