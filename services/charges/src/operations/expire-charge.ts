import type { Database } from '@plataforma/data';
import { Refusal, withNextSequence } from '@plataforma/kernel';
import { announce } from '@plataforma/tables';
import { paidOrExpiredEvent } from '../domain/announcements.ts';
import { type Charge, statusAfter } from '../domain/charge.ts';
import type { ProviderCharge } from '../domain/payment.ts';
import { lockCharge, saveCharge } from '../store/charges.ts';

interface ExpireCharge {
  database: Database;
  confirmChargeNow: (charge: Charge) => Promise<ProviderCharge | null>;
}

/** Expires a charge whose time is over, unless the provider confirms a payment that came in time. */
export async function expireCharge(
  { database, confirmChargeNow }: ExpireCharge,
  charge: Charge,
): Promise<void> {
  const confirmed = await confirmChargeNow(charge);
  if (confirmed && !isConclusive(confirmed)) {
    throw new Refusal('provider_fault', 'PROVIDER_ERROR', 'the Pix provider leaves open whether it was paid');
  }

  await database.transaction(async (tx) => {
    const locked = await lockCharge(tx, charge.id);
    const status = statusAfter(locked.status, 'expire');
    if (!status) return;
    const expired = withNextSequence({ ...locked, status });
    await saveCharge(tx, expired);
    await announce(tx, paidOrExpiredEvent(expired));
  });
}

/** A provider may conclude a charge before it lists the payment; then the answer proves nothing. */
function isConclusive({ status, payments }: ProviderCharge): boolean {
  return status !== 'other' && (status !== 'concluded' || payments.length > 0);
}
