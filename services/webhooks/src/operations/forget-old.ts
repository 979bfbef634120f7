import type { Queryable } from '@plataforma/data';
import { daysBefore } from '@plataforma/kernel';
import { deleteEndedSecrets } from '../store/old-secrets.ts';
import { deleteHours } from '../store/retention.ts';

/** Of endpoints' health nobody asks further back than a day. */
const KEEP_HOURS_FOR_DAYS = 2;

/** Deletes secrets whose grace has ended, and hours of endpoints' health. Any number of replicas may do this at a time. */
export async function forgetOld(db: Queryable, now: Date): Promise<void> {
  await deleteEndedSecrets(db);
  await deleteHours(db, daysBefore(now, KEEP_HOURS_FOR_DAYS));
}
