import type { FailureReason } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import { type LedgerClient, OrderRefused, type WalletProof } from '@plataforma/ledger-client';
import { merchantTime } from '@plataforma/service';
import { writeAudit } from '@plataforma/tables';
import { RECHECK_MS, requestOf } from '../domain/payout.ts';
import {
  debitOf,
  isVisible,
  methodOf,
  noSuchWithdrawal,
  notCovered,
  released,
  requireNextStatus,
  type Withdrawal,
} from '../domain/withdrawal.ts';
import type { PayoutProviders } from '../payouts/payout-client.ts';
import { closeMismatches, closeMissingDebit } from '../store/books-mismatch-alarms.ts';
import { clearBooksUnproven, recheckBooksAt } from '../store/unproven-payouts.ts';
import { findPosition } from '../store/wallet-proofs.ts';
import { requireSeal } from '../store/withdrawal-rows.ts';
import { findAnyWithdrawal, lockWithdrawal, saveAndAnnounce } from '../store/withdrawals.ts';

interface UndebitedDecision {
  id: string;
  operatorId: string;
  note: string;
}

export interface ResolveUndebited {
  database: Database;
  clock: Clock;
  ledger: Pick<LedgerClient, 'proveWallet' | 'withdrawable' | 'debitWithdrawalAgain'>;
}

/**
 * Debits again a payout whose debit the ledger has lost, for example by a restore. The id stays the same, so
 * the ledger debits it once and the provider pays it once. `token` is the gateway's signature of the
 * operator's decision, which the ledger verifies.
 */
export async function debitAnew(
  dependencies: ResolveUndebited,
  { token, ...decision }: UndebitedDecision & { token: string | null },
): Promise<Withdrawal> {
  const { database, ledger, clock } = dependencies;
  const withdrawal = await requireUndebited(dependencies, decision.id);
  // Check the balance first, because a ledger of the previous release stores its refusal, and then no later
  // attempt could succeed.
  if ((await ledger.withdrawable(withdrawal)) < withdrawal.netAmount + withdrawal.fee) throw notCovered();
  await database.transaction(async (tx) => {
    const now = clock();
    const locked = await lockNotOrdered(tx, decision.id, now);
    await recordDecision(tx, locked, {
      ...decision,
      action: 'withdrawal.debit',
      after: { isDebitAsked: true },
    });
    // Delay the next verification of the ledger's records, because a verification before the debit would
    // raise the alarm again.
    await recheckBooksAt(tx, decision.id, new Date(now.getTime() + RECHECK_MS));
  });
  if (!(await ledger.debitWithdrawalAgain(debitOf(withdrawal), token).catch(refused))) throw notCovered();
  if (!(await debitIn(dependencies, withdrawal)))
    throw invalid('the books have returned its money: fail it instead');
  return database.transaction(async (tx) => {
    // Lock the withdrawal before its alarm. The verification locks in the same order, so that the two cannot
    // deadlock.
    await lockWithdrawal(tx, decision.id);
    const [now, { id, operatorId: settledBy, note }] = [clock(), decision];
    await closeMissingDebit(tx, id, { settledAt: now, settledBy, note });
    await recheckBooksAt(tx, id, now);
    return lockWithdrawal(tx, decision.id);
  });
}

function refused(error: unknown): never {
  if (!(error instanceof OrderRefused)) throw error;
  throw invalid('the ledger does not accept the order of this withdrawal: fail it instead');
}

interface FailUndebited extends ResolveUndebited {
  payoutClientOf: PayoutProviders;
}

/**
 * Ends a payout without a debit as FAILED. Throws INVALID_STATE if the provider has this payout and has not
 * failed it: an operator must then repeat the debit instead.
 */
export async function failUndebited(
  dependencies: FailUndebited,
  decision: UndebitedDecision,
): Promise<Withdrawal> {
  const { database, clock } = dependencies;
  const { payingPixKey, reason } = await requireNotPaid(
    dependencies,
    await requireUndebited(dependencies, decision.id),
  );
  return database.transaction(async (tx) => {
    const now = clock();
    const locked = await lockNotOrdered(tx, decision.id, now);
    const status = requireNextStatus(requireNextStatus(locked.status, 'start'), 'fail');
    const endedAt = await merchantTime(tx, clock, locked);
    const end = { status, startedAt: now, endedAt, failureReason: reason, attempts: 0 };
    // Keep a failed Pix due, so that the scheduler asks the provider. If the provider reports a payment
    // later, the scheduler raises an alarm.
    const watched = { payingPixKey, dueAt: payingPixKey === null ? null : now };
    const ended = await saveAndAnnounce(tx, { ...locked, ...released, ...end, ...watched });
    const { id, operatorId: settledBy, note } = decision;
    await closeMismatches(tx, id, { settledAt: now, settledBy, note });
    await clearBooksUnproven(tx, id);
    await recordDecision(tx, locked, { ...decision, action: 'withdrawal.fail_undebited', after: { status } });
    return ended;
  });
}

/**
 * Returns the failure reason to record, and the platform's Pix key for this payout (null for a TED). Throws
 * INVALID_STATE if the provider has the payout and the payout has not failed.
 */
async function requireNotPaid(
  { payoutClientOf }: FailUndebited,
  withdrawal: Withdrawal,
): Promise<{ payingPixKey: string | null; reason: FailureReason }> {
  if (methodOf(withdrawal) === 'TED') return { payingPixKey: null, reason: 'other' };
  const client = payoutClientOf(withdrawal);
  const found = await client.find(requestOf(withdrawal));
  if (found?.state === 'sent_back_by_bank') {
    // Efí's API does not report the returned amount, and a payee's bank may return only a part of the
    // payment.
    const message =
      'the provider returned the payout but reports no amount: let the ledger debit it instead, and adjust';
    throw invalid(message);
  }
  if (found && found.state !== 'failed') {
    throw invalid('the provider has an order of this withdrawal: let the ledger debit it instead');
  }
  return { payingPixKey: client.payingPixKey, reason: found?.reason ?? 'other' };
}

/** Returns the withdrawal if it is APPROVED and the ledger has no debit of it. Throws otherwise. */
async function requireUndebited(dependencies: ResolveUndebited, id: string): Promise<Withdrawal> {
  const withdrawal = await findAnyWithdrawal(dependencies.database, id);
  if (!withdrawal || !isVisible(withdrawal)) throw noSuchWithdrawal();
  requireSeal(dependencies.database, withdrawal);
  requireNotOrdered(withdrawal);
  if (await debitIn(dependencies, withdrawal)) throw invalid('the books have a debit of this withdrawal');
  return withdrawal;
}

/**
 * Locks the withdrawal's row. Throws while the scheduler has a lease on the withdrawal, because the scheduler
 * may raise an alarm from records that it read before this decision.
 */
async function lockNotOrdered(tx: Transaction, id: string, now: Date): Promise<Withdrawal> {
  const locked = await lockWithdrawal(tx, id);
  requireNotOrdered(locked);
  if (locked.leaseUntil && locked.leaseUntil > now) throw beingCompared();
  return locked;
}

function requireNotOrdered({ status }: Withdrawal): void {
  if (status !== 'APPROVED')
    throw invalid(`the withdrawal is ${status}: only a withdrawal that was not ordered yet can be resolved`);
}

/**
 * Finds the ledger's debit of this withdrawal. Returns null if no debit exists or if the ledger has returned
 * it.
 */
async function debitIn(
  { database, ledger }: ResolveUndebited,
  withdrawal: Withdrawal,
): Promise<WalletProof['debit']> {
  const { sequence: after } = await findPosition(database, withdrawal);
  return (await ledger.proveWallet(withdrawal, { after, withdrawalId: withdrawal.id })).debit;
}

/**
 * Writes the decision to the audit log before it is carried out, so that the log has it even if the process
 * dies.
 */
async function recordDecision(
  tx: Transaction,
  withdrawal: Withdrawal,
  { action, operatorId, note, after }: UndebitedDecision & { action: string; after: Record<string, unknown> },
): Promise<void> {
  await writeAudit(tx, {
    ...{ operatorId, action, subjectId: withdrawal.id, reason: note },
    before: { status: withdrawal.status, isDebited: false },
    after: { amount: withdrawal.netAmount + withdrawal.fee, ...after },
  });
}

function beingCompared(): Refusal {
  const message = 'a comparison of its books is in progress; try again shortly';
  return new Refusal('conflict', 'REQUEST_IN_PROGRESS', message);
}

function invalid(message: string): Refusal {
  return new Refusal('conflict', 'INVALID_STATE', message);
}
