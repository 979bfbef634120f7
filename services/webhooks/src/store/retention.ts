import type { Queryable } from '@plataforma/data';
import type { RetainedPartitions } from '@plataforma/tables';
import { attemptsByMonth, deliveriesByMonth, eventsByMonth } from '../../migrations/index.ts';

/**
 * Lists the tables whose old months are deleted. Events are kept at least as long as deliveries, because a
 * delivery reads its body from the event.
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

export interface Retention {
  eventRetentionDays: number;
  deliveryRetentionDays: number;
}
