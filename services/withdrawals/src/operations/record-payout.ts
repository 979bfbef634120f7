import type { Database, Log, Transaction } from '@plataforma/chassis';
import { type Clock, newId } from '@plataforma/kernel';
import { nextLookAfter, nextWatchOf, type PayoutOutcome } from '../domain/payout.ts';
import { demandStatusAfter, type Withdrawal } from '../domain/withdrawal.ts';
import { raiseAlarm } from '../store/payout-alarms.ts';
import { lockWithdrawal, saveWithdrawal } from '../store/withdrawals.ts';
import { endWithdrawal } from './end-withdrawal.ts';

export interface RecordPayout {
  database: Database;
  clock: Clock;
  log: Log;
  /** How long after a doubted refusal the provider is asked: longer than any order can still be on its way. */
  doubtMs: number;
}

interface Told {
  outcome: PayoutOutcome;
  /** Whether it answers the first order there ever was. */
  isFirstOrder: boolean;
}

/**
 * Makes the provider's word the withdrawal's state, once. An end that contradicts the recorded one flips nothing: the
 * merchant may have spent the money. It raises an alarm.
 */
export async function recordPayout(parts: RecordPayout, claimed: Withdrawal, told: Told): Promise<void> {
  await parts.database.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, claimed.id);
    if (locked.status !== 'PROCESSING') return noteAfterEnd(tx, { parts, ended: locked, ...told });
    switch (told.outcome.state) {
      case 'paid':
        return complete(tx, { parts, locked, providerTxId: told.outcome.providerTxId });
      case 'failed':
        return fail(tx, { parts, locked, reason: told.outcome.reason });
      case 'refused':
        // Of two orders the other one may have been taken.
        if (!told.isFirstOrder || locked.checks !== claimed.checks) {
          return saveWithdrawal(tx, doubted(locked, told.outcome.reason, parts));
        }
        return fail(tx, { parts, locked, reason: told.outcome.reason });
      default:
        return saveWithdrawal(tx, {
          ...locked,
          providerTxId: told.outcome.providerTxId ?? locked.providerTxId,
          nextCheckAt: nextLook(locked, claimed, parts.clock()),
          doubt: null,
        });
    }
  });
}

interface Ending {
  parts: RecordPayout;
  locked: Withdrawal;
}

async function complete(
  tx: Transaction,
  { parts, locked, providerTxId }: Ending & { providerTxId: string },
): Promise<void> {
  const status = demandStatusAfter(locked.status, 'complete');
  const ended = { ...locked, status, providerTxId, endedAt: parts.clock(), doubt: null, nextCheckAt: null };
  await endWithdrawal(tx, ended);
}

/** Watched for a while: should it be paid after all, somebody must know. */
async function fail(
  tx: Transaction,
  { parts, locked, reason: failureReason }: Ending & { reason: Withdrawal['failureReason'] },
): Promise<void> {
  const status = demandStatusAfter(locked.status, 'fail');
  const endedAt = parts.clock();
  const watch = { checks: 0, nextCheckAt: nextWatchOf(endedAt, endedAt) };
  await endWithdrawal(tx, { ...locked, ...watch, status, failureReason, endedAt, doubt: null });
}

function doubted(
  locked: Withdrawal,
  reason: Extract<PayoutOutcome, { state: 'refused' }>['reason'],
  { clock, doubtMs }: RecordPayout,
): Withdrawal {
  const doubt = locked.doubt ?? { reason, since: clock() };
  return { ...locked, doubt, nextCheckAt: new Date(doubt.since.getTime() + doubtMs) };
}

/** A notice that came while the provider was being asked may be newer than its answer. */
function nextLook(locked: Withdrawal, claimed: Withdrawal, now: Date): Date | null {
  const hasNotice = locked.nextCheckAt?.getTime() !== claimed.nextCheckAt?.getTime();
  return hasNotice ? locked.nextCheckAt : nextLookAfter(locked.checks, now);
}

interface AfterEnd extends Pick<Told, 'outcome'> {
  parts: RecordPayout;
  ended: Withdrawal;
}

async function noteAfterEnd(tx: Transaction, { parts, ended, outcome }: AfterEnd): Promise<void> {
  const { id: withdrawalId, merchantId, environment, status, endedAt } = ended;
  if ((status !== 'COMPLETED' && status !== 'FAILED') || !endedAt) {
    throw new Error(`a provider told of a payout of a withdrawal that is ${status}`);
  }
  const now = parts.clock();
  const nextCheckAt = status === 'FAILED' ? nextWatchOf(endedAt, now) : null;
  await saveWithdrawal(tx, { ...ended, nextCheckAt });
  const told = ends[outcome.state];
  if (told === undefined || told === status) return;
  const providerTxId = outcome.state === 'paid' ? outcome.providerTxId : ended.providerTxId;
  const end = { recorded: status, told, providerTxId, createdAt: now };
  const isNew = await raiseAlarm(tx, { id: newId(), withdrawalId, merchantId, environment, ...end });
  if (isNew)
    parts.log.error({ withdrawalId, recorded: status, told }, 'a payout ended otherwise than recorded');
}

const ends: Partial<Record<PayoutOutcome['state'], 'COMPLETED' | 'FAILED'>> = {
  paid: 'COMPLETED',
  failed: 'FAILED',
};
