import { merchantTime } from '@plataforma/service';
import { demandStatusAfter, released, type Withdrawal } from '../domain/withdrawal.ts';
import { saveAnnounced } from '../steps/save-announced.ts';
import { type SettleCreation, settleCreation } from '../steps/settle-creation.ts';
import { lockWithdrawal } from '../store/withdrawals.ts';

/**
 * Ends a creation whose caller is gone. What can be asked for again, by its key or externalId, is finished. The caller
 * of anything else was told to send it again, or has heard nothing: it is undone, lest it be paid twice.
 */
export async function resolveCreation(parts: SettleCreation, withdrawal: Withdrawal): Promise<void> {
  if (withdrawal.canBeAskedFor) await settleCreation(parts, withdrawal, async () => undefined);
  else await abandon(parts, withdrawal);
}

/** The ledger hears of it: what it has taken it gives back, and what it has not taken yet it never will. */
async function abandon({ database, clock }: SettleCreation, { id }: Withdrawal): Promise<void> {
  await database.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id);
    if (withdrawal.status !== 'DEBITING') return;
    const status = demandStatusAfter(withdrawal.status, 'abandon');
    const endedAt = await merchantTime(tx, clock, withdrawal);
    await saveAnnounced(tx, { ...withdrawal, ...released, status, endedAt, nextCheckAt: null });
  });
}
