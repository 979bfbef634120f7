import type { Evidence } from './evidence.ts';

/** A refund that was told as done, and came to nothing. */
export interface OlderRefund {
  id: string;
  charge: string;
}

/**
 * A release before 1.0 tells REFUNDED when a provider has taken the order. What that provider refuses afterwards is
 * undone by such a release; one that knows REFUNDED as final leaves it, and raises an alarm for operators.
 */
const TAKEN_AND_REFUSED = `
  SELECT id, charge_id AS charge FROM refunds
  WHERE status = 'REFUSED' AND accepted_at IS NOT NULL AND created_at < to_timestamp($1 / 1000.0)
    AND (ended_at IS NULL
      OR EXISTS (SELECT FROM alarms WHERE subject_id = refunds.id AND kind = 'FAILED_AFTER_DONE'))`;

/** None where no older release was at work. */
export async function olderRefunds({ databases, olderUntil }: Evidence): Promise<OlderRefund[]> {
  if (olderUntil === undefined) return [];
  return (await databases.charges.query<OlderRefund>(TAKEN_AND_REFUSED, [olderUntil])).rows;
}
