import type { Transaction } from '@plataforma/data';
import { announce } from '@plataforma/messaging';
import { aheadOf } from '@plataforma/service';
import { startedAtBy, type Withdrawal } from '../domain/withdrawal.ts';
import { saveWithdrawal } from '../store/withdrawals.ts';
import { announcementOf } from './announcement.ts';

/** Saves a locked withdrawal whose payment began or ended, and announces it; the ledger returns money that was not paid. */
export async function saveAnnounced(tx: Transaction, changed: Withdrawal): Promise<Withdrawal> {
  const withdrawal = { ...changed, sequence: changed.sequence + 1 };
  await saveWithdrawal(tx, withdrawal);
  // Only the event of the beginning has this time, by the merchant's clock.
  const aheadMs = withdrawal.status === 'PROCESSING' ? await aheadOf(tx, withdrawal) : 0;
  await announce(tx, announcementOf({ ...withdrawal, startedAt: startedAtBy(aheadMs, withdrawal) }));
  return withdrawal;
}
