import { type Database, readUnfolded } from '@plataforma/data';
import type { ReadGauges } from '@plataforma/observe';
import { readStopGauges } from '@plataforma/service';
import { counters } from '../migrations/027-appended-counters.ts';
import { readAcceptedAlone } from './store/accepted-books.ts';
import { heldPayouts } from './store/held-payouts.ts';
import { readOpenAlarms } from './store/payout-alarms.ts';
import { readUnknownOutcomes } from './store/unknown-outcomes.ts';
import { readUnprovenPayouts } from './store/unproven-payouts.ts';

/** What withdrawals shows of its tables. */
export function gaugesOf({ database }: { database: Database }): ReadGauges[] {
  return [
    () => readUnknownOutcomes(database),
    () => readUnfolded(database, counters),
    () => readOpenAlarms(database),
    () => readAcceptedAlone(database),
    () => readUnprovenPayouts(database),
    () => readStopGauges(database, [heldPayouts]),
  ];
}
