import type { Queryable } from '@plataforma/data';
import type { Kept } from '@plataforma/tables';
import { attemptsByMonth, deliveriesByMonth, eventsByMonth } from '../../migrations/index.ts';

/**
 * What goes by the month of its event, with all of the month at once. An event stays for as long as deliveries do, which
 * read their payload from it.
 */
export function keptByMonth({ eventRetentionDays, deliveryRetentionDays }: Retention): Kept[] {
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

/** For how long what is over stays readable. */
export interface Retention {
  eventRetentionDays: number;
  deliveryRetentionDays: number;
}
