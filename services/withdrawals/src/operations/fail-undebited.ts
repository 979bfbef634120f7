import type { FailureReason } from '@plataforma/contracts';
import { merchantTime } from '@plataforma/service';
import { requestOf } from '../domain/payout.ts';
import { demandStatusAfter, methodOf, released, type Withdrawal } from '../domain/withdrawal.ts';
import type { PayoutProviders } from '../payouts/providers.ts';
import { saveAnnounced } from '../steps/save-announced.ts';
import {
  demandUndebited,
  invalid,
  lockNotOrdered,
  recordDecision,
  type SettleUndebited,
  type Undebited,
} from '../steps/undebited.ts';
import { settleDoubts } from '../store/missing-debits.ts';
import { releasePayout } from '../store/unproven-payouts.ts';

interface FailUndebited extends SettleUndebited {
  payouts: PayoutProviders;
}

/**
 * Ends a held payout whose money was never taken, as FAILED, without a payout. Not when the provider knows an order of this
 * id that has not failed: it was sent before a restore, and its debit is what is missing.
 */
export async function failUndebited(parts: FailUndebited, decision: Undebited): Promise<Withdrawal> {
  const { database, clock } = parts;
  const { account, reason } = await demandNotPaid(parts, await demandUndebited(parts, decision.id));
  return database.transaction(async (tx) => {
    const now = clock();
    const locked = await lockNotOrdered(tx, decision.id, now);
    const status = demandStatusAfter(demandStatusAfter(locked.status, 'start'), 'fail');
    const endedAt = await merchantTime(tx, clock, locked);
    const end = { status, startedAt: now, endedAt, failureReason: reason, checks: 0 };
    // The clock goes on asking about a failed Pix: a payout that its provider reports later raises an alarm.
    const watched = { orderedFrom: account, nextCheckAt: account === null ? null : now };
    const ended = await saveAnnounced(tx, { ...locked, ...released, ...end, ...watched });
    const { id, operatorId: settledBy, note } = decision;
    await settleDoubts(tx, id, { settledAt: now, settledBy, note });
    await releasePayout(tx, id);
    await recordDecision(tx, locked, { ...decision, action: 'withdrawal.fail_undebited', after: { status } });
    return ended;
  });
}

/** From which account it would have been paid, and why it was not; null: people pay a TED, and know whether they have. */
async function demandNotPaid(
  { payouts }: FailUndebited,
  withdrawal: Withdrawal,
): Promise<{ account: string | null; reason: FailureReason }> {
  if (methodOf(withdrawal) === 'TED') return { account: null, reason: 'other' };
  const client = payouts(withdrawal);
  const found = await client.find(requestOf(withdrawal));
  if (found?.state === 'returned') {
    // Efí's interface of sent Pix gives no amount that came back, and a payee's bank may return a part.
    const message =
      'the provider says that it came back, not how much: let its debit be taken instead, and adjust';
    throw invalid(message);
  }
  if (found && found.state !== 'failed') {
    throw invalid('the provider knows an order of this withdrawal: let its debit be taken instead');
  }
  return { account: client.account, reason: found?.reason ?? 'other' };
}
