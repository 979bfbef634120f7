import type { Database, MerchantDirectory } from '@plataforma/chassis';
import type { Clock } from '@plataforma/kernel';
import { BARRED_REST_MS, isBarred } from '../domain/merchant.ts';
import { demandStatusAfter, type Withdrawal } from '../domain/withdrawal.ts';
import { lockWithdrawal, saveWithdrawal } from '../store/withdrawals.ts';

interface StartTed {
  database: Database;
  clock: Clock;
  merchants: MerchantDirectory;
}

/** Writes down that an approved TED is on its way: people send it. Of a barred merchant it waits. */
export async function startTed(
  { database, clock, merchants }: StartTed,
  { id, merchantId }: Withdrawal,
): Promise<void> {
  const merchant = await merchants.find(merchantId);
  await database.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id);
    if (withdrawal.status !== 'APPROVED') return;
    const now = clock();
    const next = isBarred(merchant)
      ? { nextCheckAt: new Date(now.getTime() + BARRED_REST_MS) }
      : {
          status: demandStatusAfter(withdrawal.status, 'start'),
          startedAt: now,
          checks: 0,
          nextCheckAt: null,
        };
    await saveWithdrawal(tx, { ...withdrawal, ...next });
  });
}
