import { type Database, failPoint, type Log, sometimes, type Transaction } from '@plataforma/chassis';
import type { FailureReason } from '@plataforma/contracts';
import { type Clock, newId } from '@plataforma/kernel';
import { nextLookAfter, nextWatchOf, type PayoutOutcome } from '../domain/payout.ts';
import { demandStatusAfter, type Withdrawal } from '../domain/withdrawal.ts';
import { type PayoutAlarm, raiseAlarm } from '../store/payout-alarms.ts';
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
    const heard = { parts, locked, claimed, ...told };
    if (locked.status !== 'PROCESSING') return noteAfterEnd(tx, heard);
    switch (told.outcome.state) {
      case 'paid':
        return complete(tx, heard, told.outcome.providerTxId);
      case 'failed':
        return fail(tx, heard, told.outcome.reason);
      case 'refused':
        return refuse(tx, heard, told.outcome.reason);
      case 'unknown':
        return knowOfNothing(tx, heard);
      case 'returned':
        await raise(tx, heard, 'RETURNED');
        return goOn(tx, heard, {});
      default:
        return goOn(tx, heard, {
          providerTxId: told.outcome.providerTxId ?? locked.providerTxId,
          acceptedAt: locked.acceptedAt ?? parts.clock(),
          doubt: null,
        });
    }
  });
  failPoint('payout.recorded');
}

interface Heard extends Told {
  parts: RecordPayout;
  locked: Withdrawal;
  /** As it was when the provider was asked. */
  claimed: Withdrawal;
}

async function complete(tx: Transaction, { parts, locked }: Heard, providerTxId: string): Promise<void> {
  const status = demandStatusAfter(locked.status, 'complete');
  const ended = { ...locked, status, providerTxId, endedAt: parts.clock(), doubt: null, nextCheckAt: null };
  await endWithdrawal(tx, ended);
}

/** Watched for a while: should it be paid after all, somebody must know. */
async function fail(tx: Transaction, heard: Heard, failureReason: FailureReason): Promise<void> {
  const { parts, locked } = heard;
  const status = demandStatusAfter(locked.status, 'fail');
  const endedAt = parts.clock();
  const watch = { checks: 0, nextCheckAt: orNoticed(heard, nextWatchOf(endedAt, endedAt)) };
  await endWithdrawal(tx, { ...locked, ...watch, status, failureReason, endedAt, doubt: null });
}

/** Of two orders the other one may have been taken: then it is a doubt. */
async function refuse(tx: Transaction, heard: Heard, reason: FailureReason): Promise<void> {
  const { parts, locked, claimed, isFirstOrder } = heard;
  if (isFirstOrder && locked.checks === claimed.checks) return fail(tx, heard, reason);
  sometimes('refused payout put in doubt');
  const doubt = locked.doubt ?? { reason, since: parts.clock() };
  const restedAt = new Date(doubt.since.getTime() + parts.doubtMs);
  await saveWithdrawal(tx, { ...locked, doubt, nextCheckAt: orNoticed(heard, restedAt) });
}

/** Settles a doubt, unless it was settled otherwise while the provider was being asked. */
async function knowOfNothing(tx: Transaction, heard: Heard): Promise<void> {
  const { doubt } = heard.locked;
  const isOfThisDoubt = doubt && doubt.since.getTime() === heard.claimed.doubt?.since.getTime();
  if (isOfThisDoubt) return fail(tx, heard, doubt.reason);
  await goOn(tx, heard, {});
}

async function goOn(tx: Transaction, heard: Heard, changes: Partial<Withdrawal>): Promise<void> {
  const { parts, locked } = heard;
  const nextCheckAt = orNoticed(heard, nextLookAfter(locked.checks, parts.clock()));
  await saveWithdrawal(tx, { ...locked, ...changes, nextCheckAt });
}

/** A notice that came while the provider was being asked may be newer than its answer; so is another's claim. */
function orNoticed({ locked, claimed }: Heard, next: Date | null): Date | null {
  const hasChanged = locked.nextCheckAt?.getTime() !== claimed.nextCheckAt?.getTime();
  return hasChanged ? locked.nextCheckAt : next;
}

async function noteAfterEnd(tx: Transaction, heard: Heard): Promise<void> {
  const { parts, locked, claimed, outcome } = heard;
  if (claimed.status === 'PROCESSING') sometimes('late payout result fenced');
  const { status, endedAt } = locked;
  if ((status !== 'COMPLETED' && status !== 'FAILED') || !endedAt) {
    throw new Error(`a provider told of a payout of a withdrawal that is ${status}`);
  }
  const now = parts.clock();
  const watch = status === 'FAILED' ? nextWatchOf(endedAt, now) : null;
  await saveWithdrawal(tx, { ...locked, nextCheckAt: orNoticed(heard, watch) });
  const told = ends[outcome.state];
  if (told !== undefined && told !== status) await raise(tx, heard, told);
}

const ends: Partial<Record<PayoutOutcome['state'], PayoutAlarm['told']>> = {
  paid: 'COMPLETED',
  failed: 'FAILED',
  returned: 'RETURNED',
};

async function raise(tx: Transaction, heard: Heard, told: PayoutAlarm['told']): Promise<void> {
  const { parts, locked, outcome } = heard;
  const { id: withdrawalId, merchantId, environment, status: recorded } = locked;
  if (recorded !== 'PROCESSING' && recorded !== 'COMPLETED' && recorded !== 'FAILED') return;
  const toldId = outcome.state === 'paid' || outcome.state === 'returned' ? outcome.providerTxId : null;
  const end = { recorded, told, providerTxId: toldId ?? locked.providerTxId, createdAt: parts.clock() };
  const isNew = await raiseAlarm(tx, { id: newId(), withdrawalId, merchantId, environment, ...end });
  if (isNew) parts.log.error({ withdrawalId, recorded, told }, 'a payout ended otherwise than recorded');
}
