import type { Database } from '@plataforma/data';
import { daysBefore } from '@plataforma/kernel';
import { deleteEndedSecrets } from '../store/old-secrets.ts';
import { deleteHours, type Retention } from '../store/retention.ts';
import { deleteApplied, unmarkFaulted } from '../store/webhook-faults.ts';

/** The health of endpoints is shown for a day. */
const KEEP_HOURS_FOR_DAYS = 2;

/**
 * Deletes secrets whose grace has ended, hours of endpoints' health, and applied faults whose delivery is gone.
 * Attempts that can meet no fault any more are sent without a look again. Any number of replicas may do this at a time.
 */
export async function forgetOld(
  database: Database,
  { deliveryRetentionDays }: Retention,
  now: Date,
): Promise<void> {
  await database.transaction(unmarkFaulted);
  await deleteApplied(database, daysBefore(now, deliveryRetentionDays));
  await deleteEndedSecrets(database);
  await deleteHours(database, daysBefore(now, KEEP_HOURS_FOR_DAYS));
}
