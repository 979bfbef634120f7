import { type Database, failPoint, type Lease, type Log, mask } from '@plataforma/chassis';
import { type Clock, Refusal } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import type { UnexpectedPayment } from '../domain/payment.ts';
import type { RefundOutcome } from '../domain/refund-outcome.ts';
import type { PixClient } from '../pix/pix-client.ts';
import type { PixProviders } from '../pix/providers.ts';
import {
  doubtReturn,
  lockUnexpectedPayment,
  noteReturnFailure,
  saveUnexpectedPayment,
} from '../store/unexpected-payments.ts';
import { unexpectedAnnouncementOf } from './announcement.ts';

interface ReturnPayment {
  database: Database;
  pix: PixProviders;
  clock: Clock;
  log: Log;
  /** How long after a doubted refusal the provider is asked: longer than any order can still be on its way. */
  refundDoubtMs: number;
}

/** Names the one refund such a payment ever gets: asked for twice, the provider does it once. */
const RETURN_ID = 'unexpected';

/** Sends money that paid nothing back to its payer, and records it when the provider has done so. */
export async function returnPayment(
  parts: ReturnPayment,
  payment: UnexpectedPayment,
  lease: Lease,
): Promise<void> {
  try {
    await goOn(parts, payment, lease);
  } catch (error) {
    const { id } = payment;
    if (!(error instanceof Refusal))
      parts.log.error({ err: error, unexpectedPaymentId: id }, 'a return does not get on');
    await noteReturnFailure(parts.database, id, mask(error instanceof Error ? error.message : String(error)));
    throw error;
  }
}

async function goOn(parts: ReturnPayment, payment: UnexpectedPayment, lease: Lease): Promise<void> {
  const outcome = await orderReturn(parts.pix(payment.environment), payment, lease);
  failPoint('return.answered');
  if (outcome.state === 'processing') return noteReturnFailure(parts.database, payment.id, null);
  if (outcome.state === 'doubtful') {
    const now = parts.clock();
    const nextCheckAt = new Date(now.getTime() + parts.refundDoubtMs);
    return doubtReturn(parts.database, payment.id, { failure: outcome.reason, now, nextCheckAt });
  }
  await parts.database.transaction(async (tx) => {
    const locked = await lockUnexpectedPayment(tx, payment.id);
    if (locked.status !== 'RETURNING') return;
    if (outcome.state === 'refused') {
      await saveUnexpectedPayment(tx, { ...locked, status: 'RETURN_REFUSED', failure: outcome.reason });
      parts.log.error({ unexpectedPaymentId: locked.id }, 'an unexpected payment could not be returned');
      return;
    }
    const returnedAt = parts.clock();
    const returned: UnexpectedPayment = { ...locked, status: 'RETURNED', failure: null, returnedAt };
    await saveUnexpectedPayment(tx, returned);
    await announce(tx, unexpectedAnnouncementOf(returned));
  });
}

/**
 * Doubtful: refused, after an order whose answer was lost and which may be carried out yet. Then the provider is only
 * asked, a while later.
 */
async function orderReturn(
  provider: PixClient,
  { endToEndId, amount, attempts, doubtedAt, failure }: UnexpectedPayment,
  lease: Lease,
): Promise<RefundOutcome | { state: 'doubtful'; reason: string }> {
  if (!provider.supportsRefunds) {
    return { state: 'refused', reason: 'the provider does not return money through its API' };
  }
  const name = { endToEndId, id: RETURN_ID };
  const known = attempts > 1 ? await provider.findRefund(name) : null;
  if (known) return known;
  if (doubtedAt) return { state: 'refused', reason: failure ?? 'the provider refused it' };
  const outcome = await provider.refund({ ...name, amount }, lease);
  return outcome.state === 'refused' && attempts > 1 ? { ...outcome, state: 'doubtful' } : outcome;
}
