import { createLease, failPoint, type Remembering, sometimes } from '@plataforma/chassis';
import { Refusal } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { isSettled, type Refund, refusalOfRefund } from '../domain/refund.ts';
import { lockCharge } from '../store/charges.ts';
import { lockRefund } from '../store/refunds.ts';
import { type AdvanceRefund, advanceRefund } from './advance-refund.ts';
import { type AskedRefund, type RequestRefund, requestRefund } from './request-refund.ts';

/** Refunds a charge for a caller who waits to hear of it, and remembers what it was told. */
export async function refundCharge(
  parts: RequestRefund & Omit<AdvanceRefund, 'keep'>,
  asked: AskedRefund,
  remembering: Remembering<Charge>,
): Promise<Charge> {
  const refund = await requestRefund(parts, asked, remembering);
  failPoint('refund.stored');
  const lease = createLease({
    clock: parts.clock,
    until: refund.nextCheckAt,
    whenOver: () => sometimes('late refund order fenced'),
  });
  const refunded = isSettled(refund.status)
    ? null
    : await advanceRefund({ ...parts, keep: remembering.keep }, refund, lease);
  return refunded ?? tell(parts, refund, remembering);
}

/** What became of a refund that somebody else has settled, which may have been undone since. */
async function tell(
  { database }: RequestRefund,
  { id, chargeId }: Refund,
  remembering: Remembering<Charge>,
): Promise<Charge> {
  const outcome = await database.transaction(async (tx) => {
    const charge = await lockCharge(tx, chargeId);
    const refund = await lockRefund(tx, id);
    const told = refund.status === 'REFUSED' ? refusalOfRefund(refund) : charge;
    await remembering.keep(tx, told);
    return told;
  });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}
