import type { Database } from '@plataforma/data';
import { daysBefore } from '@plataforma/kernel';
import { deleteEndedSecrets } from '../store/old-secrets.ts';
import { deleteHours, type Retention } from '../store/retention.ts';
import { deleteApplied, unmarkFaulted } from '../store/webhook-faults.ts';

/** Two days, because the health of endpoints is shown for one day. */
const KEEP_HOURS_FOR_DAYS = 2;

/**
 * Deletes ended secrets, old hours of endpoints' health and applied faults without a delivery. It unmarks
 * configurations without faults, whose attempts then skip the check. Several replicas may run it at once.
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
