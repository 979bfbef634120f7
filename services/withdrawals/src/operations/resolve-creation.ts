import type { Database } from '@plataforma/data';
import { type LedgerClient, OrderRefused } from '@plataforma/ledger-client';
import { merchantTime } from '@plataforma/service';
import { debitOf, released, requireNextStatus, type Withdrawal } from '../domain/withdrawal.ts';
import { lockWithdrawal, type RecordDebit, recordDebit, saveAndAnnounce } from '../store/withdrawals.ts';

export interface ResolveCreation extends RecordDebit {
  database: Database;
  ledger: LedgerClient;
}

/**
 * Ends a creation whose request stopped. Completes the creation if a repeated request can find the
 * withdrawal. Otherwise abandons it, because a repeated request would create and pay a second withdrawal.
 * Abandons it, too, if the ledger refuses its order.
 */
export async function resolveCreation(dependencies: ResolveCreation, withdrawal: Withdrawal): Promise<void> {
  if (!withdrawal.isRepeatable) return abandon(dependencies, withdrawal);
  const isDebited = await dependencies.ledger.debitWithdrawal(debitOf(withdrawal)).catch((error) => {
    if (error instanceof OrderRefused) return null;
    throw error;
  });
  if (isDebited === null) return abandon(dependencies, withdrawal);
  await dependencies.database.transaction((tx) => recordDebit(tx, dependencies, withdrawal.id, isDebited));
}

/**
 * Ends the creation and publishes an event. When the ledger receives the event, it returns the debit, or
 * refuses a debit that arrives later.
 */
async function abandon({ database, clock }: ResolveCreation, { id }: Withdrawal): Promise<void> {
  await database.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id);
    if (withdrawal.status !== 'DEBITING') return;
    const status = requireNextStatus(withdrawal.status, 'abandon');
    const endedAt = await merchantTime(tx, clock, withdrawal);
    await saveAndAnnounce(tx, { ...withdrawal, ...released, status, endedAt, dueAt: null });
  });
}
