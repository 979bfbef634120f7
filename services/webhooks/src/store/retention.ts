import type { Queryable } from '@plataforma/data';
import type { RetainedPartitions } from '@plataforma/tables';
import { attemptsByMonth, deliveriesByMonth, eventsByMonth } from '../../migrations/index.ts';

/**
 * Lists the tables that are deleted by months of the event's id. An event stays as long as its deliveries,
 * because they read their payload from it.
 */
export function retainedByMonth({
  eventRetentionDays,
  deliveryRetentionDays,
}: Retention): RetainedPartitions[] {
  return [
    { ...deliveriesByMonth, keepDays: deliveryRetentionDays },
    { ...attemptsByMonth, keepDays: deliveryRetentionDays },
    { ...eventsByMonth, keepDays: Math.max(eventRetentionDays, deliveryRetentionDays) },
  ];
}

const DELETE_HOURS = 'DELETE FROM endpoint_hours WHERE hour < $1';

export async function deleteHours(db: Queryable, before: Date): Promise<void> {
  await db.queryUnprepared(DELETE_HOURS, [before]);
}

/** The days for which events and deliveries stay stored. */
export interface Retention {
  eventRetentionDays: number;
  deliveryRetentionDays: number;
}
