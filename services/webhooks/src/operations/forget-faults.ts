import type { Database } from '@plataforma/data';
import { daysBefore } from '@plataforma/kernel';
import type { Retention } from '../store/retention.ts';
import { deleteApplied, unmarkFaulted } from '../store/webhook-faults.ts';

/** Attempts that can meet no fault any more are sent without a look again; what was met is kept as long as its delivery. */
export async function forgetFaults(
  database: Database,
  { deliveryRetentionDays }: Retention,
  now: Date,
): Promise<void> {
  await database.transaction(unmarkFaulted);
  await deleteApplied(database, daysBefore(now, deliveryRetentionDays));
}
