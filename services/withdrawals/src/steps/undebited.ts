import { type Database, type Transaction, writeAudit } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import type { LedgerClient, WalletProof } from '@plataforma/ledger-client';
import { isSeen, noSuchWithdrawal, type Withdrawal } from '../domain/withdrawal.ts';
import { findPosition } from '../store/wallet-proofs.ts';
import { findAnyWithdrawal, lockWithdrawal } from '../store/withdrawals.ts';

/** What an operator decides about a payout whose debit the books do not have. */
export interface Undebited {
  id: string;
  operatorId: string;
  note: string;
}

export interface SettleUndebited {
  database: Database;
  clock: Clock;
  ledger: Pick<LedgerClient, 'proveWallet' | 'withdrawable' | 'debitWithdrawalAgain'>;
}

/** A withdrawal that was approved, whose order never left and whose debit the books do not have; else it refuses. */
export async function demandUndebited(parts: SettleUndebited, id: string): Promise<Withdrawal> {
  const withdrawal = await findAnyWithdrawal(parts.database, id);
  if (!withdrawal || !isSeen(withdrawal)) throw noSuchWithdrawal();
  demandNotOrdered(withdrawal);
  if (await debitIn(parts, withdrawal)) throw invalid('the books have a debit of this withdrawal');
  return withdrawal;
}

/** As it is now, locked until the transaction ends. Not while the clock may raise its alarm by books it has read before. */
export async function lockNotOrdered(tx: Transaction, id: string, now: Date): Promise<Withdrawal> {
  const locked = await lockWithdrawal(tx, id);
  demandNotOrdered(locked);
  if (locked.leaseUntil && locked.leaseUntil > now) throw beingCompared();
  return locked;
}

function demandNotOrdered({ status }: Withdrawal): void {
  if (status !== 'APPROVED') throw invalid(`the withdrawal is ${status}: only one that was not ordered yet`);
}

/** What the books say that this withdrawal took, and did not give back. */
export async function debitIn(
  { database, ledger }: SettleUndebited,
  withdrawal: Withdrawal,
): Promise<WalletProof['debit']> {
  const { sequence: after } = await findPosition(database, withdrawal);
  return (await ledger.proveWallet(withdrawal, { after, withdrawalId: withdrawal.id })).debit;
}

/** On record before it is done: a process that dies in between has said what it was about. */
export async function recordDecision(
  tx: Transaction,
  withdrawal: Withdrawal,
  { action, operatorId, note, after }: Undebited & { action: string; after: Record<string, unknown> },
): Promise<void> {
  await writeAudit(tx, {
    ...{ operatorId, action, subjectId: withdrawal.id, reason: note },
    before: { status: withdrawal.status, isDebited: false },
    after: { amount: withdrawal.netAmount + withdrawal.fee, ...after },
  });
}

function beingCompared(): Refusal {
  const message = 'its books are being compared at this moment; try again shortly';
  return new Refusal('conflict', 'REQUEST_IN_PROGRESS', message);
}

export function invalid(message: string): Refusal {
  return new Refusal('conflict', 'INVALID_STATE', message);
}
