import type { Database } from '@plataforma/data';
import type { ReadGauges } from '@plataforma/observe';
import { readStopGauges } from '@plataforma/service';
import { readOpenAlarms } from './store/alarms.ts';
import { heldOrders } from './store/held-orders.ts';
import { readUnknownOutcomes } from './store/unknown-outcomes.ts';

/** What charges shows of its tables. */
export function gaugesOf({ database }: { database: Database }): ReadGauges[] {
  return [
    () => readUnknownOutcomes(database),
    () => readOpenAlarms(database),
    () => readStopGauges(database, heldOrders),
  ];
}
