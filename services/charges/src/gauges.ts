import { type Database, readUnfolded } from '@plataforma/data';
import type { ReadGauges } from '@plataforma/observe';
import { readStopGauges } from '@plataforma/service';
import { counters } from '../migrations/046-appended-counters.ts';
import { readOpenAlarms } from './store/alarms.ts';
import { heldOrders } from './store/held-orders.ts';
import { readUnknownOutcomes } from './store/unknown-outcomes.ts';

/** What charges shows of its tables. */
export function gaugesOf({ database }: { database: Database }): ReadGauges[] {
  return [
    () => readUnknownOutcomes(database),
    () => readUnfolded(database, counters),
    () => readOpenAlarms(database),
    () => readStopGauges(database, heldOrders),
  ];
}
