import type { Database } from '@plataforma/data';
import { Refusal, type Tenant, withNextSequence } from '@plataforma/kernel';
import type { ChargeLiveUpdates } from '../charge-live-updates.ts';
import { type Charge, statusAfter } from '../domain/charge.ts';
import { notCancellable } from '../domain/charge-refusals.ts';
import type { ProviderCharge } from '../domain/payment.ts';
import { failPoint } from '../fail-points.ts';
import type { PixProviders } from '../pix/pix-client.ts';
import { requireSeal } from '../store/charge-rows.ts';
import { lockCharge, saveCharge } from '../store/charges.ts';
import { getCharge } from '../store/own-charges.ts';

interface CancelCharge {
  database: Database;
  pix: PixProviders;
  confirmPaymentsNow: (charge: Charge) => Promise<ProviderCharge | null>;
  liveUpdates: Pick<ChargeLiveUpdates, 'cancelled'>;
}

/**
 * Cancels a charge first at the provider, so that no payer can pay it, and then in this service. If the
 * provider removes nothing, the charge must already be removed or unknown at the provider.
 */
export async function cancelCharge(
  { database, pix, confirmPaymentsNow, liveUpdates }: CancelCharge,
  tenant: Tenant,
  id: string,
): Promise<void> {
  const charge = await getCharge(database, tenant, id);
  if (!statusAfter(charge.status, 'cancel')) throw notCancellable(charge.status);
  requireSeal(database, charge);

  const isRemoved = await pix(charge).remove(charge.txid);
  failPoint('charge.removed');
  if (!isRemoved) requireRemoved(await confirmPaymentsNow(charge));

  await database.transaction(async (tx) => {
    const locked = await lockCharge(tx, charge.id);
    const status = statusAfter(locked.status, 'cancel');
    if (!status) throw notCancellable(locked.status);
    if (!isRemoved && locked.qrCode !== charge.qrCode) throw justRegistered();
    const cancelled = withNextSequence({ ...locked, status });
    await saveCharge(tx, cancelled);
    liveUpdates.cancelled(tx, cancelled);
  });
}

/**
 * Throws unless the provider has removed the charge or does not know the charge. If a charge reaches the
 * provider after this check, no payer sees its code.
 */
function requireRemoved(found: ProviderCharge | null): void {
  if (found === null || found.status === 'removed') return;
  if (found.status === 'concluded') throw notCancellable('PENDING');
  throw new Refusal('provider_fault', 'PROVIDER_ERROR', 'charge not cancelled at the Pix provider');
}

/**
 * Returns the refusal for a charge that got its code during the cancellation. The provider now knows the
 * charge, so its earlier answer that the charge is unknown no longer counts.
 */
function justRegistered(): Refusal {
  const message = 'the charge has just reached the Pix provider; send the same request again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
