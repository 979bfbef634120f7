import type { Database, Transaction } from '@plataforma/data';
import { type Clock, later, type Moment } from '@plataforma/kernel';
import type { LedgerClient } from '@plataforma/ledger-client';
import { aheadOf } from '@plataforma/service';
import { demandStatusAfter, methodOf, released, type Withdrawal } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { lockWithdrawal, saveWithdrawal } from '../store/withdrawals.ts';

export interface SettleCreation {
  database: Database;
  ledger: LedgerClient;
  hints: { created(tx: Transaction, withdrawal: Withdrawal): void };
  clock: Clock;
}

/**
 * Asks the ledger for the money of a withdrawal that is written down, and records its answer: PENDING, or REFUSED. What
 * was settled meanwhile stays as it is. Answers the withdrawal as it is now. Throws while it is unknown whether the
 * ledger has taken the money; asked again, it takes nothing twice.
 */
export async function settleCreation(
  { database, ledger, hints, clock }: SettleCreation,
  withdrawal: Withdrawal,
  /** In the same transaction. */
  andThen: (tx: Transaction, settled: Withdrawal) => Promise<void>,
): Promise<Withdrawal> {
  const isTaken = await ledger.debitWithdrawal(debitOf(withdrawal));
  failPoint('debit.answered');
  return database.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, withdrawal.id);
    const aheadMs = await aheadOf(tx, locked);
    const settled =
      locked.status === 'DEBITING'
        ? await settle(tx, locked, { step: isTaken ? 'open' : 'refuse', now: clock(), aheadMs })
        : locked;
    await andThen(tx, settled);
    if (settled !== locked && settled.status === 'PENDING') hints.created(tx, settled);
    return settled;
  });
}

/** What the ledger is asked for, in the same words each time: so it takes it once. */
export function debitOf(withdrawal: Withdrawal) {
  const { id, merchantId, environment, netAmount, fee, externalId, createdAt: occurredAt } = withdrawal;
  return {
    id,
    merchantId,
    environment,
    netAmount,
    fee,
    method: methodOf(withdrawal),
    externalId,
    occurredAt,
  };
}

/** By itself approved withdrawals are the clock's at once, or when their payee is no longer new. */
async function settle(
  tx: Transaction,
  withdrawal: Withdrawal,
  { step, now, aheadMs }: Moment & { step: 'open' | 'refuse' },
): Promise<Withdrawal> {
  const status = demandStatusAfter(withdrawal.status, step);
  const isItsOwn = step === 'open' && withdrawal.approvalsNeeded === 0;
  const settled = {
    ...withdrawal,
    status,
    endedAt: step === 'refuse' ? later(now, aheadMs) : null,
    checks: 0,
    nextCheckAt: isItsOwn ? later(withdrawal.payableFrom ?? later(now, aheadMs), -aheadMs) : null,
    ...released,
  };
  await saveWithdrawal(tx, settled);
  return settled;
}
