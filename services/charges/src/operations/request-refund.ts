import type { Database, Transaction } from '@plataforma/data';
import type { IdempotencyRecord } from '@plataforma/http';
import { type Clock, later, newId, Refusal, type Tenant } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import { announce } from '@plataforma/tables';
import { isEnd } from '@plataforma/work';
import { refundCreatedEvent } from '../domain/announcements.ts';
import { type Charge, statusAfter } from '../domain/charge.ts';
import { notSupported, refundAmount } from '../domain/new-refund.ts';
import { notRefundable } from '../domain/refund.ts';
import { failPoint } from '../fail-points.ts';
import type { PixProviders } from '../pix/pix-client.ts';
import { lockCharge } from '../store/charges.ts';
import { getCharge } from '../store/own-charges.ts';
import type { Refunded } from '../store/refund-outcomes.ts';
import {
  dueRefunds,
  findUnrefusedRefund,
  insertRefund,
  lockRefund,
  type RefundOrder,
  refundOrderOf,
  requireRefundSeal,
} from '../store/refunds.ts';

interface RequestRefund {
  database: Database;
  pix: PixProviders;
  clock: Clock;
  /** The length of the caller's lease. After the lease, the scheduler continues the refund. */
  refundLeaseMs: number;
  /**
   * The longest time that the caller waits for the provider's final outcome, from the start of the request.
   */
  refundWaitMs: number;
}

interface RefundInput {
  tenant: Tenant;
  chargeId: string;
  amount?: number | undefined;
  reason?: string | undefined;
}

export interface RequestedRefund {
  charge: Charge;
  refund: RefundOrder;
  /**
   * True when this caller has the lease. The refund has then not ended, and no other process works on the
   * refund.
   */
  isOurs: boolean;
  waitUntil: Date;
}

type Requested = Omit<RequestedRefund, 'waitUntil'>;

/**
 * Stores a refund before any order is sent. If the charge already has a pending refund, resumes or returns
 * that refund. Throws REQUEST_IN_PROGRESS if the pending refund has a different amount.
 */
export async function requestRefund(
  { database, pix, clock, refundLeaseMs, refundWaitMs }: RequestRefund,
  { tenant, chargeId, amount, reason }: RefundInput,
  idempotency: IdempotencyRecord<Refunded>,
): Promise<RequestedRefund> {
  const waitUntil = later(clock(), refundWaitMs);
  const charge = await getCharge(database, tenant, chargeId);
  if (charge.paymentMethod === 'PIX' && !pix(charge).supportsRefunds) throw notSupported();

  const requested = await database.transaction(async (tx): Promise<Requested> => {
    const locked = await lockCharge(tx, chargeId);
    const begun = idempotency.begunId && (await lockRefund(tx, idempotency.begunId));
    if (begun && isEnd(begun.status)) return { charge: locked, refund: begun, isOurs: false };
    if (!statusAfter(locked.status, 'refund')) throw notRefundable(`is ${locked.status}`);
    const requestedAt = await merchantTime(tx, clock, tenant);
    const timing = { now: clock(), requestedAt, leaseMs: refundLeaseMs };
    const input = { amount: refundAmount(locked, amount), reason: reason ?? null, ...timing };
    const requested = (await resume(tx, locked, input)) ?? (await start(tx, locked, input));
    if (!begun) await idempotency.start(tx, requested.refund.id);
    return requested;
  });
  failPoint('refund.stored');
  return { ...requested, waitUntil };
}

interface NewRefundInput {
  amount: number;
  reason: string | null;
  now: Date;
  /** The time of the request by the merchant's clock. */
  requestedAt: Date;
  leaseMs: number;
}

/** Claims a pending refund of the same amount if its last attempt failed or was interrupted. */
async function resume(tx: Transaction, charge: Charge, input: NewRefundInput): Promise<Requested | null> {
  const open = await findUnrefusedRefund(tx, charge.id);
  if (!open) return null;
  requireRefundSeal(tx, open);
  if (open.amount !== input.amount) throw isUnderWay();
  const isLeftAlone = open.failure !== null && open.status !== 'UNCONFIRMED';
  // Replicas of the previous release write no lease. They claim a refund by setting a later due time and
  // clearing the recorded failure.
  const isAtWork = !isLeftAlone && open.dueAt !== null && open.dueAt > input.now;
  const claimed = open.status === 'ACCEPTED' || isAtWork ? null : await claimRefund(tx, open.id, input);
  return { charge, refund: claimed ?? open, isOurs: claimed !== null };
}

async function start(tx: Transaction, charge: Charge, input: NewRefundInput): Promise<Requested> {
  const { amount, reason, now: dueAt, requestedAt: createdAt } = input;
  const { id: chargeId, merchantId, environment } = charge;
  const id = newId();
  await insertRefund(tx, { id, chargeId, merchantId, environment, amount, reason, createdAt, dueAt });
  await announce(tx, refundCreatedEvent({ id, amount, reason, createdAt }, charge));
  const refund = await claimRefund(tx, id, input);
  if (!refund) throw new Error('a refund vanished');
  return { charge, refund, isOurs: true };
}

/** Claims a refund. Returns null while another process works on it. */
async function claimRefund(
  tx: Transaction,
  id: string,
  { now, leaseMs }: Pick<NewRefundInput, 'now' | 'leaseMs'>,
): Promise<RefundOrder | null> {
  const row = await dueRefunds.claimOne(tx, { id, now, leaseMs });
  return row && refundOrderOf(row);
}

function isUnderWay(): Refusal {
  const message = 'a refund of this charge with another amount is in progress and needs no further request';
  return new Refusal('conflict', 'REQUEST_IN_PROGRESS', message);
}
