import type { Database, Log } from '@plataforma/chassis';
import { announce } from '@plataforma/messaging';
import { type Charge, statusAfter } from '../domain/charge.ts';
import type { PixProviders } from '../pix/providers.ts';
import { lockCharge, saveCharge } from '../store/charges.ts';
import { announcementOf } from './announcement.ts';
import { recordPayments } from './confirm-payment.ts';

interface ExpireCharge {
  database: Database;
  pix: PixProviders;
  log: Log;
}

/** Expires a charge whose time is over, after asking the provider: money that came in time wins. */
export async function expireCharge({ database, pix, log }: ExpireCharge, charge: Charge): Promise<void> {
  const known = await pix(charge.environment).find(charge.txid);
  if (known && known.payments.length > 0) await recordPayments({ database, log }, charge.id, known.payments);

  await database.transaction(async (tx) => {
    const locked = await lockCharge(tx, charge.id);
    const status = statusAfter(locked.status, 'expire');
    if (!status) return;
    const expired = { ...locked, status, sequence: locked.sequence + 1 };
    await saveCharge(tx, expired);
    await announce(tx, announcementOf(expired));
  });
}
