import type { Database, Remembering, Transaction } from '@plataforma/chassis';
import { type Clock, newId, Refusal, type Tenant } from '@plataforma/kernel';
import { type Charge, noSuchCharge, notRefundable, statusAfter } from '../domain/charge.ts';
import { isEnd, type Refund, refundAmount } from '../domain/refund.ts';
import type { PixProviders } from '../pix/providers.ts';
import { findCharge, lockCharge } from '../store/charges.ts';
import { findStandingRefund, insertRefund, lockRefund, saveRefund } from '../store/refunds.ts';

export interface RequestRefund {
  database: Database;
  pix: PixProviders;
  clock: Clock;
  /** For how long the refund is its caller's; then the clock takes over. */
  refundPatienceMs: number;
}

export interface AskedRefund {
  tenant: Tenant;
  /** Of the charge. */
  id: string;
  amount?: number | undefined;
  reason?: string | undefined;
}

export interface RequestedRefund {
  charge: Charge;
  refund: Refund;
  /** Whether it is this caller's to advance: not at its end, and no other process is at work on it. */
  isOurs: boolean;
}

/**
 * Writes a refund down before anything is done about it, once per charge. One that was left unfinished is taken up
 * again by the same request; one that has ended, or is under way, comes back as it is.
 */
export async function requestRefund(
  { database, pix, clock, refundPatienceMs }: RequestRefund,
  { tenant, id, amount, reason }: AskedRefund,
  remembering: Remembering<Charge>,
): Promise<RequestedRefund> {
  const charge = await findCharge(database, tenant, id);
  if (!charge) throw noSuchCharge();
  if (charge.paymentMethod === 'PIX' && !pix(charge.environment).supportsRefunds) throw notSupported();

  return database.transaction(async (tx) => {
    const locked = await lockCharge(tx, id);
    const begun = remembering.begunId && (await lockRefund(tx, remembering.begunId));
    if (begun && isEnd(begun.status)) return { charge: locked, refund: begun, isOurs: false };
    if (!statusAfter(locked.status, 'refund')) throw notRefundable(`is ${locked.status}`);
    const now = clock();
    const nextCheckAt = new Date(now.getTime() + refundPatienceMs);
    const asked = { amount: refundAmount(locked, amount), reason: reason ?? null, now, nextCheckAt };
    const requested = (await takeUp(tx, locked, asked)) ?? (await begin(tx, locked, asked));
    if (!begun) await remembering.begin(tx, requested.refund.id);
    return requested;
  });
}

interface Terms {
  amount: number;
  reason: string | null;
  now: Date;
  nextCheckAt: Date;
}

/** The refund that is not at its end yet, when it is the same one: ours when the last try failed, or was cut off. */
async function takeUp(tx: Transaction, charge: Charge, terms: Terms): Promise<RequestedRefund | null> {
  const standing = await findStandingRefund(tx, charge.id);
  if (!standing) return null;
  if (standing.amount !== terms.amount) throw isUnderWay();
  const isLeftAlone = standing.failure !== null && standing.doubtedAt === null;
  const isAtWork = !isLeftAlone && standing.nextCheckAt > terms.now;
  if (standing.status === 'ACCEPTED' || isAtWork) return { charge, refund: standing, isOurs: false };
  const failure = standing.doubtedAt && standing.failure;
  const taken = { ...standing, failure, nextCheckAt: terms.nextCheckAt };
  await saveRefund(tx, taken);
  return { charge, refund: taken, isOurs: true };
}

async function begin(tx: Transaction, charge: Charge, terms: Terms): Promise<RequestedRefund> {
  const refund: Refund = {
    id: newId(),
    chargeId: charge.id,
    merchantId: charge.merchantId,
    environment: charge.environment,
    amount: terms.amount,
    reason: terms.reason,
    status: 'REQUESTED',
    failure: null,
    createdAt: terms.now,
    acceptedAt: null,
    endedAt: null,
    nextCheckAt: terms.nextCheckAt,
    doubtedAt: null,
  };
  await insertRefund(tx, refund);
  return { charge, refund, isOurs: true };
}

function isUnderWay(): Refusal {
  const message = 'a refund of this charge with another amount is under way and goes on by itself';
  return new Refusal('conflict', 'REQUEST_IN_PROGRESS', message);
}

function notSupported(): Refusal {
  const message = 'the provider of this charge does not return money through its API';
  return new Refusal('invalid', 'REFUND_NOT_SUPPORTED', message);
}
