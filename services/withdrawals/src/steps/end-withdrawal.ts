import type { Transaction } from '@plataforma/data';
import { announce } from '@plataforma/messaging';
import type { Withdrawal } from '../domain/withdrawal.ts';
import { saveWithdrawal } from '../store/withdrawals.ts';
import { announcementOf } from './announcement.ts';

/** Saves a locked withdrawal that has come to its end, and tells of it: the ledger gives back what was not paid. */
export async function endWithdrawal(tx: Transaction, ended: Withdrawal): Promise<Withdrawal> {
  const told = { ...ended, sequence: ended.sequence + 1 };
  await saveWithdrawal(tx, told);
  await announce(tx, announcementOf(told));
  return told;
}
