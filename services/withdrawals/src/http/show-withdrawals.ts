import type { WithdrawalWait } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { type Clock, later } from '@plataforma/kernel';
import { aheadOfEach, waitingFor } from '@plataforma/service';
import { activeStops, type OrderStop } from '@plataforma/tables';
import { mayBeSentSince, payoutSubject } from '../domain/stop-subject.ts';
import { type Wait, waitOf } from '../domain/waiting.ts';
import { startedAtBy, type Withdrawal } from '../domain/withdrawal.ts';
import { unprovenSince } from '../store/unproven-payouts.ts';
import { barredOf } from '../store/withdrawal-lists.ts';

type View<V> = (withdrawal: Withdrawal, waitingFor: WithdrawalWait | null) => V;

interface ReadContext {
  db: Queryable;
  clock: Clock;
  withMissingApprovals: (withdrawal: Withdrawal) => Withdrawal | null;
}

/**
 * Returns the API's views with the reason why each withdrawal waits. Queries these reasons only for
 * withdrawals that may be waiting.
 */
export async function showAll<V>(
  { db, clock, withMissingApprovals }: ReadContext,
  withdrawals: readonly Withdrawal[],
  view: View<V>,
): Promise<V[]> {
  const now = clock();
  const open = withdrawals.filter(({ status }) => status === 'PENDING' || status === 'APPROVED');
  const barred = await barredOf(
    db,
    open.map(({ merchantId }) => merchantId),
  );
  const approved = open.filter(({ status }) => status === 'APPROVED').map(({ id }) => id);
  const unproven = await unprovenSince(db, approved);
  const aheadOf = await aheadOfEach(db, withdrawals.filter(isWaiting));
  const stops = withdrawals.some(mayBeSentSince) ? await activeStops(db, 'payouts') : [];
  return withdrawals.map((withdrawal) => {
    const isBarred = barred.has(withdrawal.merchantId);
    const aheadMs = aheadOf(withdrawal);
    const dated = { ...withdrawal, startedAt: startedAtBy(aheadMs, withdrawal) };
    const unprovenSince = unproven.get(withdrawal.id);
    const wait = waitOf(dated, {
      ...{ now: later(now, aheadMs), isBarred },
      stoppedSince: stoppedSince(stops, dated),
      unprovenSince: unprovenSince ? later(unprovenSince, aheadMs) : null,
      unapproved: withdrawal.status === 'APPROVED' ? withMissingApprovals(dated) : null,
    });
    return view(withdrawal, wait && waitView(wait));
  });
}

export async function show<V>(context: ReadContext, withdrawal: Withdrawal, view: View<V>): Promise<V> {
  const [shown] = await showAll(context, [withdrawal], view);
  if (shown === undefined) throw new Error('a withdrawal has no view');
  return shown;
}

function isWaiting({ status }: Withdrawal): boolean {
  return status === 'PENDING' || status === 'APPROVED' || status === 'PROCESSING';
}

function stoppedSince(stops: readonly OrderStop[], withdrawal: Withdrawal): Date | null {
  const since = mayBeSentSince(withdrawal);
  const stop = since && waitingFor(stops, payoutSubject(withdrawal), since);
  return stop && new Date(stop.since);
}

function waitView({ what, since, until, who, reason = null }: Wait): WithdrawalWait {
  return { what, since: since.toISOString(), until: until?.toISOString() ?? null, who, reason };
}
