import type { Remembering } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { HeldByStop } from '@plataforma/service';
import { claimedOf, isEnd } from '@plataforma/work';
import { refusalOfRefund } from '../domain/refund.ts';
import { failPoint } from '../fail-points.ts';
import { type AdvanceRefund, type RefundCaller, refundOrders } from '../steps/advance-refund.ts';
import { type AskedRefund, type RequestRefund, requestRefund } from '../steps/request-refund.ts';
import type { Refunded } from '../steps/settle-refund.ts';
import { lockCharge } from '../store/charges.ts';
import { lockRefund, type RefundOrder } from '../store/refunds.ts';

export interface RefundCharge extends RequestRefund, Omit<AdvanceRefund, 'pix'> {
  /** How long the caller waits for the provider's definite end, from the request on. */
  refundWaitMs: number;
}

/** `isDone`: the charge is REFUNDED; else the refund is under way. */
export interface RefundedSoFar extends Refunded {
  isDone: boolean;
}

/** Refunds a charge for a caller who waits for its end, and keeps what the caller is answered of that. */
export async function refundCharge(
  parts: RefundCharge,
  asked: AskedRefund,
  remembering: Remembering<Refunded>,
): Promise<RefundedSoFar> {
  const waitUntil = new Date(parts.clock().getTime() + parts.refundWaitMs);
  const { charge, refund, isOurs } = await requestRefund(parts, asked, remembering);
  failPoint('refund.stored');
  if (!isOurs && !isEnd(refund.status)) return { charge, refund, isDone: false };
  const refunded = isOurs ? await advance(parts, refund, { keep: remembering.keep, waitUntil }) : null;
  return refunded ? { ...refunded, isDone: true } : readEnd(parts, refund, remembering);
}

/** The charge that this has made REFUNDED; null: the refund is under way, or another process has ended it. */
async function advance(
  parts: RefundCharge,
  claimed: RefundOrder,
  caller: RefundCaller,
): Promise<Refunded | null> {
  const orders = refundOrders(parts, caller);
  const answer = await orders.advance(claimedOf(claimed, parts.clock)).catch((error) => {
    // The money is taken aside, and the refund goes on when it is started again: the caller reads so.
    if (error instanceof HeldByStop) return null;
    throw error;
  });
  if (answer instanceof Refusal) throw answer;
  return answer;
}

/** How far a refund has come that another process has ended, or that its provider has not done yet. */
async function readEnd(
  { database }: RequestRefund,
  { id, chargeId }: RefundOrder,
  remembering: Remembering<Refunded>,
): Promise<RefundedSoFar> {
  const { charge, refund } = await database.transaction(async (tx) => {
    const charge = await lockCharge(tx, chargeId);
    const refund = await lockRefund(tx, id);
    if (refund.status === 'FAILED') await remembering.keep(tx, refusalOfRefund(refund));
    else if (charge.status === 'REFUNDED') await remembering.keep(tx, { charge, refund });
    return { charge, refund };
  });
  if (refund.status === 'FAILED') throw refusalOfRefund(refund);
  return { charge, refund, isDone: charge.status === 'REFUNDED' };
}
