import type { Evidence } from './evidence.ts';

/** A refund that an older release reported as complete and that the provider refused later. */
export interface OlderRefund {
  id: string;
  charge: string;
}

/**
 * Releases before 1.0 report REFUNDED when a provider has accepted the order, and withdraw this status if the
 * provider refuses the refund later. Since 1.0, REFUNDED is final, and such a refusal raises an alarm.
 */
const TAKEN_AND_REFUSED = `
  SELECT id, charge_id AS charge FROM refunds
  WHERE status = 'REFUSED' AND accepted_at IS NOT NULL AND created_at < to_timestamp($1 / 1000.0)
    AND (ended_at IS NULL
      OR EXISTS (SELECT FROM alarms WHERE subject_id = refunds.id AND kind = 'FAILED_AFTER_DONE'))`;

/**
 * Returns the refunds that an older release reported as complete and that the provider refused later. The
 * list is empty if no replica of an older release ran.
 */
export async function olderRefunds({ databases, olderUntil }: Evidence): Promise<OlderRefund[]> {
  if (olderUntil === undefined) return [];
  return (await databases.charges.query<OlderRefund>(TAKEN_AND_REFUSED, [olderUntil])).rows;
}
