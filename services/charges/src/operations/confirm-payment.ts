import type { Database, Transaction } from '@plataforma/data';
import { type ProviderScope, Refusal, withNextSequence } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { assertNext, type Charge } from '../domain/charge.ts';
import { decidePayments, type PixReceipt, type ProviderCharge } from '../domain/payment.ts';
import { failPoint, situation } from '../fail-points.ts';
import { findChargeByTxid } from '../store/charge-lookups.ts';
import { lockCharge, saveCharge } from '../store/charges.ts';
import { announcePaid, lockUse } from '../store/paid-charges.ts';
import { findRecordedIds, insertPayment } from '../store/payments.ts';
import { recordUnmatched } from '../store/unmatched-payments.ts';

interface RecordChargePayments {
  database: Database;
  log: Log;
}

interface ConfirmCharge extends RecordChargePayments {
  pix: (scope: ProviderScope) => { find(txid: string): Promise<ProviderCharge | null> };
}

/**
 * Confirms the charge that a callback names; a repeated callback changes nothing. Returns false when no
 * charge has this txid.
 */
export async function confirmPaymentsByTxid(dependencies: ConfirmCharge, txid: string): Promise<boolean> {
  const charge = await findChargeByTxid(dependencies.database, txid);
  if (charge) await confirmPaymentsNow(dependencies, charge);
  return charge !== null;
}

/**
 * Returns the provider's answer, and records the payments in it. If the provider does not know the charge,
 * returns null, or throws if the charge has a code from the provider.
 */
export async function confirmPaymentsNow(
  { pix, ...dependencies }: ConfirmCharge,
  charge: Charge,
): Promise<ProviderCharge | null> {
  const found = await pix(charge).find(charge.txid);
  failPoint('charge.inspected');
  if (found && found.payments.length > 0) await recordChargePayments(dependencies, charge.id, found.payments);
  if (found || charge.qrCode === null) return found;
  throw new Refusal('provider_fault', 'PROVIDER_ERROR', 'charge missing at the Pix provider');
}

/**
 * Records payments that the provider confirms. The first matching payment makes the charge PAID, and the
 * service announces this.
 */
export async function recordChargePayments(
  { database, log }: RecordChargePayments,
  chargeId: string,
  payments: readonly PixReceipt[],
): Promise<void> {
  await database.transaction(async (tx) => {
    const charge = await lockChargeOrCancelIfLinkUsedUp(tx, chargeId);
    const endToEndIds = payments.map(({ endToEndId }) => endToEndId);
    const { paidBy, unmatched } = decidePayments(charge, payments, await findRecordedIds(tx, endToEndIds));
    if (paidBy) await pay(tx, charge, paidBy);
    const { environment, merchantId, txid } = charge;
    for (const { payment, cause } of unmatched) {
      await recordUnmatched(tx, { ...payment, environment, merchantId, chargeId, txid, cause });
      log.warn({ chargeId, cause }, 'unmatched payment recorded');
    }
  });
  failPoint('payment.recorded');
}

/**
 * Locks the charge. If other payments have used up the charge's link, cancels the charge. The new payment
 * then counts as late and is returned.
 */
async function lockChargeOrCancelIfLinkUsedUp(tx: Transaction, id: string): Promise<Charge> {
  const charge = await lockCharge(tx, id);
  if (charge.status !== 'PENDING' || (await lockUse(tx, charge))) return charge;
  const status = assertNext(charge.status, 'cancel');
  const cancelled = withNextSequence({ ...charge, status });
  await saveCharge(tx, cancelled);
  return cancelled;
}

async function pay(tx: Transaction, charge: Charge, payment: PixReceipt): Promise<void> {
  const status = assertNext(charge.status, 'pay');
  const { endToEndId, paidAt } = payment;
  if (charge.qrCode === null) situation('payment confirmed before its charge was answered for');
  const paid = withNextSequence({ ...charge, status, paidAt, endToEndId });
  if (!(await insertPayment(tx, charge, payment))) throw recordedElsewhere();
  await saveCharge(tx, paid);
  await announcePaid(tx, paid);
}

/**
 * Returns the refusal when another transaction has recorded this payment first. The next check then finds the
 * record.
 */
function recordedElsewhere(): Refusal {
  const message = 'another transaction has just recorded the payment; the platform checks it again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
