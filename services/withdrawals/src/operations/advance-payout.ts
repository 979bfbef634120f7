import { createLease, failPoint, type MerchantDirectory, sometimes } from '@plataforma/chassis';
import { Refusal } from '@plataforma/kernel';
import { BARRED_REST_MS, isBarred } from '../domain/merchant.ts';
import type { OrderOutcome } from '../domain/payout.ts';
import { demandStatusAfter, methodOf, payoutIdOf, type Withdrawal } from '../domain/withdrawal.ts';
import type { PayoutProviders } from '../payouts/providers.ts';
import { lockWithdrawal, restUntil, saveWithdrawal } from '../store/withdrawals.ts';
import { type RecordPayout, recordPayout } from './record-payout.ts';

export interface AdvancePayout extends RecordPayout {
  payouts: PayoutProviders;
}

/**
 * Sends an approved withdrawal: written down first, then ordered under our own id. A TED is only written down: people
 * send it. Of a merchant that was barred after the approval it waits. `claimed` is ours until its `nextCheckAt`.
 */
export async function startPayout(
  parts: AdvancePayout & { merchants: MerchantDirectory },
  claimed: Withdrawal,
): Promise<void> {
  if (isBarred(await parts.merchants.find(claimed.merchantId))) {
    const lookAgainAt = new Date(parts.clock().getTime() + BARRED_REST_MS);
    return restUntil(parts.database, claimed, lookAgainAt);
  }
  const started = await parts.database.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, claimed.id);
    if (locked.status !== 'APPROVED') return null;
    const status = demandStatusAfter(locked.status, 'start');
    const isPix = methodOf(locked) === 'PIX';
    const nextCheckAt = isPix ? claimed.nextCheckAt : null;
    const orderedFrom = isPix ? parts.payouts(locked.environment).account : null;
    const next = { ...locked, status, startedAt: parts.clock(), orderedFrom, checks: 0, nextCheckAt };
    await saveWithdrawal(tx, next);
    return isPix ? next : null;
  });
  if (!started) return;
  failPoint('payout.stored');
  await recordPayout(parts, started, { outcome: await order(parts, started), isFirstOrder: true });
}

/**
 * Asks the provider how a payout stands, by our own id. One whose answer was lost and that it does not know is ordered
 * again, under the same id, which pays once; one it has shown before is only asked about, for ever. A refusal of what was ordered before says nothing of that order, whose answer was lost: it may be carried
 * out yet. So it rests, and then the provider is only asked; if it still knows of nothing, nothing was paid.
 */
export async function followPayout(parts: AdvancePayout, claimed: Withdrawal): Promise<void> {
  const askedAt = parts.clock();
  const known = await find(parts, claimed);
  const { doubt, acceptedAt } = claimed;
  if (!acceptedAt) sometimes(known ? 'unknown payout found done' : 'unknown payout found not done');
  if (known) return recordPayout(parts, claimed, { outcome: known, isFirstOrder: false });
  if (acceptedAt) throw lost('the provider does not show a payout it had accepted');
  if (!doubt) {
    const outcome = await order(parts, claimed);
    return recordPayout(parts, claimed, { outcome, isFirstOrder: false });
  }
  const decidedAt = new Date(doubt.since.getTime() + parts.doubtMs);
  if (askedAt < decidedAt) return restUntil(parts.database, claimed, decidedAt);
  await recordPayout(parts, claimed, { outcome: { state: 'unknown' }, isFirstOrder: false });
}

/** Asks about a payout that has ended, after a notice or because it failed not long ago. */
export async function watchPayout(parts: AdvancePayout, ended: Withdrawal): Promise<void> {
  const known = await find(parts, ended);
  await recordPayout(parts, ended, { outcome: known ?? { state: 'unknown' }, isFirstOrder: false });
}

/** Another account of ours knows nothing of the payout: asked of it, it would be paid a second time. */
async function find(parts: AdvancePayout, { orderedFrom, ...claimed }: Withdrawal) {
  const client = parts.payouts(claimed.environment);
  if (client.account !== orderedFrom)
    throw lost('the payout was ordered from another key than the configured one');
  const known = await client.find(payoutOf(claimed));
  failPoint('payout.inspected');
  return known;
}

function lost(message: string): Refusal {
  return new Refusal('provider_fault', 'PROVIDER_ERROR', message);
}

async function order({ payouts, clock }: AdvancePayout, claimed: Withdrawal): Promise<OrderOutcome> {
  if (!claimed.nextCheckAt) throw new Error('a payout is ordered without a claim');
  const whenOver = () => sometimes('late payout order fenced');
  const lease = createLease({ clock, until: claimed.nextCheckAt, whenOver });
  const outcome = await payouts(claimed.environment).order(payoutOf(claimed), lease);
  failPoint('payout.answered');
  return outcome;
}

function payoutOf({ id, netAmount, target }: Pick<Withdrawal, 'id' | 'netAmount' | 'target'>) {
  if (target.type !== 'PIX') throw new Error('no provider pays to a bank account');
  return { id: payoutIdOf(id), amount: netAmount, pixKey: target.pixKey };
}
