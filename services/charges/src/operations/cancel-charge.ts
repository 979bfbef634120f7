import type { Database, Log } from '@plataforma/chassis';
import { Refusal, type Tenant } from '@plataforma/kernel';
import { notCancellable, statusAfter } from '../domain/charge.ts';
import type { PixProviders } from '../pix/providers.ts';
import { findCharge, lockCharge, saveCharge } from '../store/charges.ts';
import { recordPayments } from './confirm-payment.ts';

interface CancelCharge {
  database: Database;
  pix: PixProviders;
  log: Log;
}

/**
 * Cancels at the provider first: from then on nobody can pay, and only then here. When the provider has not done
 * it, its own answer decides: removed already, or paid meanwhile.
 */
export async function cancelCharge(
  { database, pix, log }: CancelCharge,
  tenant: Tenant,
  id: string,
): Promise<void> {
  const charge = await findCharge(database, tenant, id);
  if (!charge) throw new Refusal('missing', 'NOT_FOUND', 'there is no charge with this id');
  if (!statusAfter(charge.status, 'cancel')) throw notCancellable(charge.status);

  const provider = pix(charge.environment);
  const isRemoved = await provider.remove(charge.txid);
  if (!isRemoved) {
    const known = await provider.find(charge.txid);
    if (known && known.payments.length > 0)
      await recordPayments({ database, log }, charge.id, known.payments);
    // Null: the provider never heard of it, so nobody was ever shown a code to pay.
    if (known && known.status !== 'removed')
      throw notCancellable(known.status === 'concluded' ? 'PAID' : charge.status);
  }
  await database.transaction(async (tx) => {
    const locked = await lockCharge(tx, charge.id);
    const status = statusAfter(locked.status, 'cancel');
    if (!status) throw notCancellable(locked.status);
    await saveCharge(tx, { ...locked, status });
  });
}
