import type { Database, Log } from '@plataforma/chassis';
import { type Clock, Refusal } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import type { Acquirers } from '../cards/acquirers.ts';
import { type Charge, demandStatusAfter, notRefundable } from '../domain/charge.ts';
import { canBecome, providerRefundId, type Refund } from '../domain/refund.ts';
import type { RefundOutcome } from '../domain/refund-outcome.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import type { PixProviders } from '../pix/providers.ts';
import { findAnyCharge, lockCharge, saveCharge } from '../store/charges.ts';
import { lockRefund, saveRefund } from '../store/refunds.ts';
import { announcementOf, refusalOf } from './announcement.ts';

export interface AdvanceRefund {
  database: Database;
  pix: PixProviders;
  acquirers: Acquirers;
  ledger: LedgerClient;
  clock: Clock;
  log: Log;
  /** When the provider is first asked how a refund it took has ended. */
  refundFollowUpMs: number;
}

/**
 * Takes a refund as far as it goes now: first the merchant's money is taken aside in the books, then the provider
 * is told to return it, then the charge is REFUNDED. Each step may be done again after a crash: the ledger and the
 * provider know the refund by its id. Throws what stopped it; one with an unknown outcome goes on later.
 */
export async function advanceRefund(parts: AdvanceRefund, refund: Refund): Promise<void> {
  const charge = await findAnyCharge(parts.database, refund.chargeId);
  if (!charge) throw new Error('a charge vanished');
  if (refund.status === 'REQUESTED') await debit(parts, refund, charge);
  const outcome = await orderReturn(parts, refund, charge);
  const wasRefused = await record(parts, refund, outcome);
  if (wasRefused) throw notRefundable('was not refunded by its provider');
}

async function debit(parts: AdvanceRefund, refund: Refund, charge: Charge): Promise<void> {
  try {
    await parts.ledger.debitRefund(debitOf(refund, charge));
  } catch (error) {
    if (isShortOfMoney(error)) await giveUp(parts, refund);
    throw error;
  }
  await parts.database.transaction(async (tx) => {
    const locked = await lockRefund(tx, refund.id);
    if (canBecome(locked.status, 'DEBITED')) await saveRefund(tx, { ...locked, status: 'DEBITED' });
  });
}

function debitOf({ id, merchantId, environment, amount, createdAt }: Refund, charge: Charge) {
  if (!charge.paidAt) throw new Error('a refund of a charge that was never paid');
  const { externalId, paymentMethod, feeAmount, netAmount, paidAt, settlesAt } = charge;
  const paid = { id: charge.id, externalId, paymentMethod, amount: charge.amount, feeAmount, netAmount };
  const about = { id, merchantId, environment, amount, occurredAt: createdAt };
  return { ...about, charge: { ...paid, paidAt, settlesAt } };
}

function isShortOfMoney(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'INSUFFICIENT_BALANCE';
}

/** Nothing was taken and nothing was ordered: the charge is free to be refunded another time. */
async function giveUp({ database }: AdvanceRefund, refund: Refund): Promise<void> {
  await database.transaction(async (tx) => {
    const locked = await lockRefund(tx, refund.id);
    if (locked.status !== 'REQUESTED') return;
    await saveRefund(tx, { ...locked, status: 'REFUSED', failure: 'the balance did not cover it' });
  });
}

/** Asked again with the same id, a provider does it once and says how it stands. */
function orderReturn(
  { pix, acquirers }: AdvanceRefund,
  refund: Refund,
  { environment, endToEndId, card }: Charge,
): Promise<RefundOutcome> {
  const { amount } = refund;
  if (endToEndId) return pix(environment).refund({ endToEndId, id: providerRefundId(refund), amount });
  if (!card?.acquirerId) throw new Error('a paid charge has neither a Pix nor a card payment');
  const { acquirerId } = card;
  return acquirers(environment).refund({ acquirerId, refundId: refund.id, amount });
}

/** True when the provider did not do it: then the merchant has the money again. */
async function record(parts: AdvanceRefund, refund: Refund, outcome: RefundOutcome): Promise<boolean> {
  const now = parts.clock();
  return parts.database.transaction(async (tx) => {
    const charge = await lockCharge(tx, refund.chargeId);
    const locked = await lockRefund(tx, refund.id);
    if (outcome.state === 'refused') {
      if (!canBecome(locked.status, 'REFUSED')) return false;
      await saveRefund(tx, { ...locked, status: 'REFUSED', failure: outcome.reason });
      const after = locked.status === 'ACCEPTED' ? withoutRefund(charge) : charge;
      const told = { ...after, sequence: charge.sequence + 1 };
      await saveCharge(tx, told);
      await announce(tx, refusalOf(locked, told, now));
      parts.log.error({ chargeId: charge.id, refundId: locked.id }, 'a provider did not carry out a refund');
      return true;
    }
    const status = outcome.state === 'done' ? 'DONE' : 'ACCEPTED';
    if (!canBecome(locked.status, status)) return false;
    const nextCheckAt = new Date(now.getTime() + parts.refundFollowUpMs);
    await saveRefund(tx, { ...locked, status, acceptedAt: locked.acceptedAt ?? now, nextCheckAt });
    if (locked.status === 'ACCEPTED') return false;
    const refunded = withRefund(charge, locked, now);
    await saveCharge(tx, refunded);
    await announce(tx, announcementOf(refunded));
    return false;
  });
}

function withRefund(charge: Charge, { amount, reason }: Refund, at: Date): Charge {
  const status = demandStatusAfter(charge.status, 'refund');
  return { ...charge, status, sequence: charge.sequence + 1, refund: { amount, at, reason } };
}

function withoutRefund(charge: Charge): Charge {
  return { ...charge, status: demandStatusAfter(charge.status, 'reverse_refund'), refund: null };
}
