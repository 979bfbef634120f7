import type { Database } from '@plataforma/data';
import type { LedgerClient } from '@plataforma/ledger-client';
import { merchantTime } from '@plataforma/service';
import { debitOf, released, requireNextStatus, type Withdrawal } from '../domain/withdrawal.ts';
import { lockWithdrawal, type RecordDebit, recordDebit, saveAndAnnounce } from '../store/withdrawals.ts';

export interface ResolveCreation extends RecordDebit {
  database: Database;
  ledger: LedgerClient;
}

/**
 * Ends a creation whose caller is gone. One with a key or an externalId is finished. The caller of any other got an
 * error, or nothing, and may send it again: it is abandoned, because it could be paid twice.
 */
export async function resolveCreation(dependencies: ResolveCreation, withdrawal: Withdrawal): Promise<void> {
  if (!withdrawal.isRepeatable) return abandon(dependencies, withdrawal);
  const isDebited = await dependencies.ledger.debitWithdrawal(debitOf(withdrawal));
  await dependencies.database.transaction((tx) => recordDebit(tx, dependencies, withdrawal.id, isDebited));
}

/** Announces the end to the ledger, which returns a debit, or never takes it. */
async function abandon({ database, clock }: ResolveCreation, { id }: Withdrawal): Promise<void> {
  await database.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id);
    if (withdrawal.status !== 'DEBITING') return;
    const status = requireNextStatus(withdrawal.status, 'abandon');
    const endedAt = await merchantTime(tx, clock, withdrawal);
    await saveAndAnnounce(tx, { ...withdrawal, ...released, status, endedAt, dueAt: null });
  });
}
