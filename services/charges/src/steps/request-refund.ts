import type { Database, Transaction } from '@plataforma/data';
import type { Remembering } from '@plataforma/http';
import { type Clock, newId, Refusal, type Tenant } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import { merchantTime } from '@plataforma/service';
import { isEnd } from '@plataforma/work';
import { type Charge, statusAfter } from '../domain/charge.ts';
import { noSuchCharge } from '../domain/charge-refusals.ts';
import { notSupported, refundAmount } from '../domain/new-refund.ts';
import { notRefundable } from '../domain/refund.ts';
import type { PixProviders } from '../pix/providers.ts';
import { findCharge } from '../store/charge-lookups.ts';
import { lockCharge } from '../store/charges.ts';
import { insertRefund } from '../store/new-refunds.ts';
import {
  dueRefunds,
  findStandingRefund,
  lockRefund,
  type RefundOrder,
  refundOrderOf,
} from '../store/refunds.ts';
import { createdRefundOf } from './refund-announcement.ts';
import type { Refunded } from './settle-refund.ts';

export interface RequestRefund {
  database: Database;
  pix: PixProviders;
  clock: Clock;
  /** The lease of the caller; then the clock takes over. */
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
  refund: RefundOrder;
  /** Whether this caller has claimed it: not at its end, and no other process is at work on it. */
  isOurs: boolean;
}

/**
 * Writes a refund down before anything is done about it, once per charge. One that was left unfinished is taken up
 * again by the same request; one that has ended, or is under way, comes back as it is.
 */
export async function requestRefund(
  { database, pix, clock, refundPatienceMs }: RequestRefund,
  { tenant, id, amount, reason }: AskedRefund,
  remembering: Remembering<Refunded>,
): Promise<RequestedRefund> {
  const charge = await findCharge(database, tenant, id);
  if (!charge) throw noSuchCharge();
  if (charge.paymentMethod === 'PIX' && !pix(charge).supportsRefunds) throw notSupported();

  return database.transaction(async (tx) => {
    const locked = await lockCharge(tx, id);
    const begun = remembering.begunId && (await lockRefund(tx, remembering.begunId));
    if (begun && isEnd(begun.status)) return { charge: locked, refund: begun, isOurs: false };
    if (!statusAfter(locked.status, 'refund')) throw notRefundable(`is ${locked.status}`);
    const requestedAt = await merchantTime(tx, clock, tenant);
    const terms = { now: clock(), requestedAt, leaseMs: refundPatienceMs };
    const asked = { amount: refundAmount(locked, amount), reason: reason ?? null, ...terms };
    const requested = (await takeUp(tx, locked, asked)) ?? (await begin(tx, locked, asked));
    if (!begun) await remembering.begin(tx, requested.refund.id);
    return requested;
  });
}

interface Terms {
  amount: number;
  reason: string | null;
  now: Date;
  /** By the merchant's time. */
  requestedAt: Date;
  leaseMs: number;
}

/** The refund that is not at its end yet, when it is the same one: ours when the last try failed, or was cut off. */
async function takeUp(tx: Transaction, charge: Charge, terms: Terms): Promise<RequestedRefund | null> {
  const open = await findStandingRefund(tx, charge.id);
  if (!open) return null;
  if (open.amount !== terms.amount) throw isUnderWay();
  const isLeftAlone = open.failure !== null && open.status !== 'UNCONFIRMED';
  // The release before claims a refund by its due time alone, and takes away its failure.
  const isAtWork = !isLeftAlone && open.dueAt !== null && open.dueAt > terms.now;
  const claimed = open.status === 'ACCEPTED' || isAtWork ? null : await claim(tx, open.id, terms);
  return { charge, refund: claimed ?? open, isOurs: claimed !== null };
}

async function begin(tx: Transaction, charge: Charge, terms: Terms): Promise<RequestedRefund> {
  const { amount, reason, now: dueAt, requestedAt: createdAt } = terms;
  const { id: chargeId, merchantId, environment } = charge;
  const id = newId();
  await insertRefund(tx, { id, chargeId, merchantId, environment, amount, reason, createdAt, dueAt });
  await announce(tx, createdRefundOf({ id, amount, reason, createdAt }, charge));
  const refund = await claim(tx, id, terms);
  if (!refund) throw new Error('a refund vanished');
  return { charge, refund, isOurs: true };
}

/** Null: another process is at work on it. */
async function claim(
  tx: Transaction,
  id: string,
  { now, leaseMs }: Pick<Terms, 'now' | 'leaseMs'>,
): Promise<RefundOrder | null> {
  const row = await dueRefunds.claimOne(tx, { id, now, leaseMs });
  return row && refundOrderOf(row);
}

function isUnderWay(): Refusal {
  const message = 'a refund of this charge with another amount is under way and goes on by itself';
  return new Refusal('conflict', 'REQUEST_IN_PROGRESS', message);
}
