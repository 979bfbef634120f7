import type { Database, MerchantDirectory } from '@plataforma/chassis';
import type { Clock } from '@plataforma/kernel';
import { stepByItself } from '../domain/approval.ts';
import { BARRED_REST_MS, isBarred } from '../domain/merchant.ts';
import type { Withdrawal } from '../domain/withdrawal.ts';
import { lockWithdrawal, saveWithdrawal } from '../store/withdrawals.ts';

interface AdvanceWithdrawal {
  database: Database;
  clock: Clock;
  merchants: MerchantDirectory;
}

/** Approves what needs no more approvals, when it may be paid, and starts a TED; of a barred merchant both wait. */
export async function advanceWithdrawal(
  { database, clock, merchants }: AdvanceWithdrawal,
  { id, merchantId }: Withdrawal,
): Promise<void> {
  const merchant = await merchants.find(merchantId);
  await database.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id);
    const now = clock();
    const after = stepByItself(withdrawal, now);
    if (!after) return;
    const rested = { ...withdrawal, nextCheckAt: new Date(now.getTime() + BARRED_REST_MS) };
    await saveWithdrawal(tx, isBarred(merchant) ? rested : after);
  });
}
