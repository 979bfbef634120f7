import type { Database } from '@plataforma/data';
import { daysBefore } from '@plataforma/kernel';
import { deleteEndedSecrets } from '../store/old-secrets.ts';
import { deleteHours, type Retention } from '../store/retention.ts';
import { deleteApplied, unmarkFaulted } from '../store/webhook-faults.ts';

/**
 * The days for which hourly counts of endpoints are kept. Operators see the counts of one day, so two days
 * suffice.
 */
const KEEP_HOURS_FOR_DAYS = 2;

/**
 * Deletes expired secrets, old hourly counts, and used faults whose delivery is deleted. Also clears
 * `is_faulted` of configurations without faults. Several replicas may run this job at the same time.
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
