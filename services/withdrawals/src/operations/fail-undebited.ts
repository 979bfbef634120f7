import { Refusal } from '@plataforma/kernel';
import { requestOf } from '../domain/payout.ts';
import { demandStatusAfter, methodOf, released, type Withdrawal } from '../domain/withdrawal.ts';
import type { PayoutProviders } from '../payouts/providers.ts';
import { endWithdrawal } from '../steps/end-withdrawal.ts';
import {
  demandUndebited,
  invalid,
  lockNotOrdered,
  recordDecision,
  type SettleUndebited,
  settleAlarm,
  type Undebited,
} from '../steps/undebited.ts';
import { releasePayout } from '../store/unproven-payouts.ts';

interface FailUndebited extends SettleUndebited {
  payouts: PayoutProviders;
}

/**
 * Ends a held payout whose money was never taken, as FAILED, without a payout. Not when the provider knows an order of this
 * id: it was sent before a restore, and its debit is what is missing.
 */
export async function failUndebited(parts: FailUndebited, decision: Undebited): Promise<Withdrawal> {
  const { database, clock } = parts;
  const { account } = await demandUnknown(parts, await demandUndebited(parts, decision.id));
  return database.transaction(async (tx) => {
    const now = clock();
    const locked = await lockNotOrdered(tx, decision.id);
    if (locked.leaseUntil && locked.leaseUntil > now) throw beingCompared();
    const status = demandStatusAfter(demandStatusAfter(locked.status, 'start'), 'fail');
    const end = { status, startedAt: now, endedAt: now, failureReason: 'other' as const, checks: 0 };
    // A Pix is watched as any that failed: a payout that comes to light afterwards raises an alarm.
    const watched = { orderedFrom: account, nextCheckAt: account === null ? null : now };
    const ended = await endWithdrawal(tx, { ...locked, ...released, ...end, ...watched });
    await recordDecision(tx, locked, { ...decision, action: 'withdrawal.fail_undebited', after: { status } });
    await settleAlarm(tx, decision, now);
    await releasePayout(tx, decision.id);
    return ended;
  });
}

/** From which account it would have been paid; null: people pay a TED, and know whether they have. */
async function demandUnknown(
  { payouts }: FailUndebited,
  withdrawal: Withdrawal,
): Promise<{ account: string | null }> {
  if (methodOf(withdrawal) === 'TED') return { account: null };
  const client = payouts(withdrawal.environment);
  if (await client.find(requestOf(withdrawal))) {
    throw invalid('the provider knows an order of this withdrawal: let its debit be taken instead');
  }
  return { account: client.account };
}

function beingCompared(): Refusal {
  const message = 'its books are being compared at this moment; try again shortly';
  return new Refusal('conflict', 'REQUEST_IN_PROGRESS', message);
}
