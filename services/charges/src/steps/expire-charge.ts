import { Refusal } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import { type Charge, statusAfter } from '../domain/charge.ts';
import type { ProviderCharge } from '../domain/payment.ts';
import { lockCharge, saveCharge } from '../store/charges.ts';
import { announcementOf } from './announcement.ts';
import { type AskProvider, askProvider } from './ask-provider.ts';

/** Expires a charge whose time is over, after asking the provider: money that came in time wins. */
export async function expireCharge(parts: AskProvider, charge: Charge): Promise<void> {
  const known = await askProvider(parts, charge);
  if (known && !isConclusive(known)) {
    throw new Refusal('provider_fault', 'PROVIDER_ERROR', 'the Pix provider leaves open whether it was paid');
  }

  await parts.database.transaction(async (tx) => {
    const locked = await lockCharge(tx, charge.id);
    const status = statusAfter(locked.status, 'expire');
    if (!status) return;
    const expired = { ...locked, status, sequence: locked.sequence + 1 };
    await saveCharge(tx, expired);
    await announce(tx, announcementOf(expired));
  });
}

/**
 * Whether all the money there is has been told of: a charge may be concluded before its payment is listed.
 */
function isConclusive({ status, payments }: ProviderCharge): boolean {
  return status !== 'other' && (status !== 'concluded' || payments.length > 0);
}
