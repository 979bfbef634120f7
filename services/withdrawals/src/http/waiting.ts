import type { WaitingFor } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { activeStops, type Stop, waitingFor } from '@plataforma/service';
import { heldSince, payoutSubject } from '../domain/held.ts';
import type { Withdrawal } from '../domain/withdrawal.ts';

type View<V> = (withdrawal: Withdrawal, waitingFor: WaitingFor | null) => V;

/** Views that say what holds each up; the stops are only read when one of them could wait for them. */
export async function showAll<V>(
  db: Queryable,
  withdrawals: readonly Withdrawal[],
  view: View<V>,
): Promise<V[]> {
  const stops = withdrawals.some(heldSince) ? await activeStops(db, 'payouts') : [];
  return withdrawals.map((withdrawal) => view(withdrawal, waitingIn(stops, withdrawal)));
}

export async function show<V>(db: Queryable, withdrawal: Withdrawal, view: View<V>): Promise<V> {
  const stops = heldSince(withdrawal) ? await activeStops(db, 'payouts') : [];
  return view(withdrawal, waitingIn(stops, withdrawal));
}

function waitingIn(stops: readonly Stop[], withdrawal: Withdrawal): WaitingFor | null {
  const since = heldSince(withdrawal);
  return since && waitingFor(stops, payoutSubject(withdrawal), since);
}
