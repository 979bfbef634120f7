import type { Database } from '@plataforma/data';
import { Refusal, withNextSequence } from '@plataforma/kernel';
import { announce } from '@plataforma/tables';
import { paidOrExpiredEvent } from '../domain/announcements.ts';
import { type Charge, statusAfter } from '../domain/charge.ts';
import type { ProviderCharge } from '../domain/payment.ts';
import { lockCharge, saveCharge } from '../store/charges.ts';

interface ExpireCharge {
  database: Database;
  confirmPaymentsNow: (charge: Charge) => Promise<ProviderCharge | null>;
}

/** Expires an overdue charge, unless the provider confirms a payment. */
export async function expireCharge(
  { database, confirmPaymentsNow }: ExpireCharge,
  charge: Charge,
): Promise<void> {
  const confirmed = await confirmPaymentsNow(charge);
  if (confirmed && !isConclusive(confirmed)) {
    throw new Refusal('provider_fault', 'PROVIDER_ERROR', 'payment state unclear at the Pix provider');
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

/**
 * Returns false if the provider's answer leaves open whether the charge is paid. A provider may show a charge
 * as concluded before it lists the payment.
 */
function isConclusive({ status, payments }: ProviderCharge): boolean {
  return status !== 'other' && (status !== 'concluded' || payments.length > 0);
}
