import type { Queryable } from '@plataforma/data';
import { daysBefore } from '@plataforma/kernel';
import type { Retention } from '../domain/retention.ts';
import { deleteEndedSecrets } from '../store/old-secrets.ts';
import { deleteDeliveries, deleteEvents, deleteHours } from '../store/retention.ts';

/** Of endpoints' health nobody asks further back than a day. */
const KEEP_HOURS_FOR_DAYS = 2;
/** So that a stop waits for little. */
const CHUNKS_AT_A_TIME = 50;

/**
 * Deletes what is older than it is kept, in short transactions: secrets whose grace has ended, final deliveries with their attempts, then the events
 * without a delivery. An event stays for as long as deliveries do, which read their payload from it. Any number of
 * replicas may do this at a time.
 */
export async function forgetOld(db: Queryable, retention: Retention, now: Date): Promise<void> {
  await deleteEndedSecrets(db);
  const { eventRetentionDays, deliveryRetentionDays } = retention;
  const delivered = daysBefore(now, deliveryRetentionDays);
  const happened = daysBefore(now, Math.max(eventRetentionDays, deliveryRetentionDays));
  const isAll = await inChunks(() => deleteDeliveries(db, delivered));
  // While there are many deliveries to go, looking for events without any would read their events in vain.
  if (isAll) await inChunks(() => deleteEvents(db, happened));
  await deleteHours(db, daysBefore(now, KEEP_HOURS_FOR_DAYS));
}

/** Whether that was all there is. */
async function inChunks(deleteChunk: () => Promise<boolean>): Promise<boolean> {
  for (let done = 0; done < CHUNKS_AT_A_TIME; done += 1) if (!(await deleteChunk())) return true;
  return false;
}
