import type { Database } from '@plataforma/data';
import { type Cents, type Clock, newId, PLATFORM_ID } from '@plataforma/kernel';
import type { Credit, LedgerClient } from '@plataforma/ledger-client';
import type { Log } from '@plataforma/observe';
import { writeAudit } from '@plataforma/tables';
import type { CreditSums } from '../credit-records.ts';
import { type BooksMismatch, excessOf, judge } from '../domain/proof.ts';
import type { Withdrawal } from '../domain/withdrawal.ts';
import {
  closeFoundDebit,
  listMismatches,
  type MismatchBefore,
  raiseMismatch,
} from '../store/books-mismatch-alarms.ts';
import { clearBooksUnproven, markBooksUnproven } from '../store/unproven-payouts.ts';
import { findPosition, savePosition } from '../store/wallet-proofs.ts';
import { lockWithdrawal } from '../store/withdrawals.ts';

export interface CompareBooks {
  database: Database;
  ledger: Pick<LedgerClient, 'proveWallet'>;
  creditSums: CreditSums;
  clock: Clock;
  log: Log;
}

/** The number of pages that are verified during one lease. The next lease continues with the next page. */
const PAGES_AT_ONCE = 100;

type Comparison = 'proven' | 'unfinished' | 'mismatch';

/**
 * Verifies the ledger's records before a payout. The wallet must equal the sum of its entries, and verified
 * entries must not have changed. Each credit, except an adjustment, must have a record in the service that
 * caused it. Throws if the ledger or the charges service does not answer.
 */
export async function compareBooksBeforePayout(
  dependencies: CompareBooks,
  withdrawal: Withdrawal,
): Promise<Comparison> {
  const { database } = dependencies;
  try {
    const before = await listMismatches(database, withdrawal.id);
    for (let page = 0; page < PAGES_AT_ONCE; page++) {
      const is = await comparePage(dependencies, withdrawal, before);
      if (is === 'proven') await closeMissingDebitAlarm(dependencies, withdrawal, before);
      if (is !== 'unfinished') return is;
    }
    return 'unfinished';
  } catch (error) {
    await markBooksUnproven(database, withdrawal.id, 'no_answer');
    throw error;
  }
}

async function comparePage(
  dependencies: CompareBooks,
  withdrawal: Withdrawal,
  before: readonly MismatchBefore[],
): Promise<Comparison> {
  const { database, ledger } = dependencies;
  const from = await findPosition(database, withdrawal);
  const question = { after: from.sequence, withdrawalId: withdrawal.id };
  const proof = await ledger.proveWallet(withdrawal, question);
  const unproven = await unprovenOf(dependencies, withdrawal, proof.credits);
  const verdict = judge(from, proof, { due: withdrawal.netAmount + withdrawal.fee, unproven });
  if (verdict.is === 'mismatch') {
    await recordMismatch(dependencies, withdrawal, { ...verdict.mismatch, before });
    return verdict.is;
  }
  const to = verdict.position;
  if (to.sequence !== from.sequence) await savePosition(database, withdrawal, { from, to });
  return verdict.is;
}

/**
 * Returns the cents by which the ledger's credits exceed the records of charges and withdrawals. Returns null
 * if both the number and the sum agree for each kind of credit.
 */
async function unprovenOf(
  { creditSums }: CompareBooks,
  withdrawal: Withdrawal,
  credits: readonly Credit[],
): Promise<Cents | null> {
  const groups = [...Map.groupBy(credits, ({ kind }) => kind)].filter(([kind]) => kind !== 'adjustment');
  let excess: Cents | null = null;
  for (const [kind, group] of groups) {
    const references = group.map(({ reference }) => reference);
    const more = excessOf(group, await creditSums.sum(withdrawal, kind, references));
    if (more !== null) excess = (excess ?? 0) + more;
  }
  return excess;
}

/**
 * Raises an alarm for the payout. Locks the withdrawal first, because an operator may have ended it in the
 * meantime.
 */
async function recordMismatch(
  { database, clock, log }: CompareBooks,
  { id: withdrawalId, merchantId, environment }: Withdrawal,
  { kind, amount, offer, before }: BooksMismatch & { before: readonly MismatchBefore[] },
): Promise<void> {
  const alarm = { id: newId(), withdrawalId, merchantId, environment, kind, amount, createdAt: clock() };
  const isNew = await database.transaction(async (tx) => {
    if ((await lockWithdrawal(tx, withdrawalId)).status !== 'APPROVED') return false;
    const isRaised = await raiseMismatch(tx, { ...alarm, offer }, before);
    await markBooksUnproven(tx, withdrawalId, 'doubt');
    return isRaised;
  });
  if (isNew) log.error({ withdrawalId, kind }, 'payout waits because the books do not account for its money');
}

/**
 * Closes an open alarm about a missing debit, because the debit exists now. The alarm is still open if an
 * operator repeated the debit and the ledger's answer was lost.
 */
async function closeMissingDebitAlarm(
  { database, clock }: CompareBooks,
  { id: withdrawalId }: Withdrawal,
  before: readonly MismatchBefore[],
): Promise<void> {
  const missing = before.find(({ kind, settledAt }) => kind === 'NO_DEBIT' && settledAt === null);
  if (!missing) return clearBooksUnproven(database, withdrawalId);
  const { kind, raisedAt } = missing;
  const note = 'a comparison of the books has found the debit';
  await database.transaction(async (tx) => {
    const subjectId = await closeFoundDebit(tx, withdrawalId, { raisedAt, settledAt: clock(), note });
    await clearBooksUnproven(tx, withdrawalId);
    if (!subjectId) return;
    await writeAudit(tx, {
      ...{ operatorId: PLATFORM_ID, action: 'alarm.settle', subjectId, reason: note },
      before: { settled: false },
      after: { settled: true, withdrawalId, kind },
    });
  });
}
