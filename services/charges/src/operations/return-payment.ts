import { type Database, type Log, mask } from '@plataforma/chassis';
import { type Clock, Refusal } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import type { UnexpectedPayment } from '../domain/payment.ts';
import type { RefundOutcome } from '../domain/refund-outcome.ts';
import type { PixClient } from '../pix/pix-client.ts';
import type { PixProviders } from '../pix/providers.ts';
import {
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
}

/** Names the one refund such a payment ever gets: asked for twice, the provider does it once. */
const RETURN_ID = 'unexpected';

/** Sends money that paid nothing back to its payer, and records it when the provider has done so. */
export async function returnPayment(parts: ReturnPayment, payment: UnexpectedPayment): Promise<void> {
  try {
    await goOn(parts, payment);
  } catch (error) {
    const { id } = payment;
    if (!(error instanceof Refusal))
      parts.log.error({ err: error, unexpectedPaymentId: id }, 'a return does not get on');
    await noteReturnFailure(parts.database, id, mask(error instanceof Error ? error.message : String(error)));
    throw error;
  }
}

async function goOn(parts: ReturnPayment, payment: UnexpectedPayment): Promise<void> {
  const outcome = await orderReturn(parts.pix(payment.environment), payment);
  if (outcome.state === 'processing') return noteReturnFailure(parts.database, payment.id, null);
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

async function orderReturn(provider: PixClient, payment: UnexpectedPayment): Promise<RefundOutcome> {
  const { endToEndId, amount } = payment;
  if (provider.supportsRefunds) return provider.refund({ endToEndId, id: RETURN_ID, amount });
  return { state: 'refused', reason: 'the provider does not return money through its API' };
}
