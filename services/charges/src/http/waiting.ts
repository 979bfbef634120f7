import type { WaitingFor } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { waitingFor } from '@plataforma/service';
import { activeStops } from '@plataforma/tables';
import type { Charge } from '../domain/charge.ts';
import { mayBeSentSince, subjectOf } from '../domain/stop-subject.ts';

interface Refund {
  status: string;
  createdAt: Date;
}

/**
 * Returns a function that finds the stop that delays a refund. Reads the stops only if at least one refund
 * could wait for a stop.
 */
export async function refundsWait(
  db: Queryable,
  charge: Charge,
  refunds: readonly Refund[],
): Promise<(refund: Refund) => WaitingFor | null> {
  const stops = refunds.some(mayBeSentSince) ? await activeStops(db, 'refunds') : [];
  return (refund) => {
    const since = mayBeSentSince(refund);
    return since && waitingFor(stops, subjectOf('refunds', charge), since);
  };
}
