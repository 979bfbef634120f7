import { createLease, failPoint, type Remembering, sometimes } from '@plataforma/chassis';
import type { Charge } from '../domain/charge.ts';
import { isEnd, type Refund, refusalOfRefund } from '../domain/refund.ts';
import { lockCharge } from '../store/charges.ts';
import { lockRefund } from '../store/refunds.ts';
import { type AdvanceRefund, advanceRefund } from './advance-refund.ts';
import { type AskedRefund, type RequestRefund, requestRefund } from './request-refund.ts';

export interface RefundCharge extends RequestRefund, Omit<AdvanceRefund, 'keep' | 'waitUntil'> {
  /** How long the caller waits for the provider's definite end, from the request on. */
  refundWaitMs: number;
}

/** `refund`: the one that is under way; null when the charge is REFUNDED. */
export interface RefundedSoFar {
  charge: Charge;
  refund: Refund | null;
}

/** Refunds a charge for a caller who waits to hear of it, and remembers what it was told of the end. */
export async function refundCharge(
  parts: RefundCharge,
  asked: AskedRefund,
  remembering: Remembering<Charge>,
): Promise<RefundedSoFar> {
  const waitUntil = new Date(parts.clock().getTime() + parts.refundWaitMs);
  const { charge, refund, isOurs } = await requestRefund(parts, asked, remembering);
  failPoint('refund.stored');
  if (!isOurs && !isEnd(refund.status)) return { charge, refund };
  const lease = createLease({
    clock: parts.clock,
    until: refund.nextCheckAt,
    whenOver: () => sometimes('late refund order fenced'),
  });
  const refunded = isOurs
    ? await advanceRefund({ ...parts, keep: remembering.keep, waitUntil }, refund, lease)
    : null;
  return refunded ? { charge: refunded, refund: null } : tell(parts, refund, remembering);
}

/** How far a refund has come that another process has ended, or that its provider has not done yet. */
async function tell(
  { database }: RequestRefund,
  { id, chargeId }: Refund,
  remembering: Remembering<Charge>,
): Promise<RefundedSoFar> {
  const { charge, refund } = await database.transaction(async (tx) => {
    const charge = await lockCharge(tx, chargeId);
    const refund = await lockRefund(tx, id);
    if (refund.status === 'REFUSED') await remembering.keep(tx, refusalOfRefund(refund));
    if (charge.status === 'REFUNDED') await remembering.keep(tx, charge);
    return { charge, refund };
  });
  if (refund.status === 'REFUSED') throw refusalOfRefund(refund);
  return { charge, refund: charge.status === 'REFUNDED' ? null : refund };
}
