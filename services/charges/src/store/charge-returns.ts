import type { Queryable, Row } from '@plataforma/data';
import type { Refund } from '../domain/refund.ts';

/** A completed, pending or failed return of a charge's money. */
export interface ChargeReturn
  extends Pick<
    Refund,
    'id' | 'amount' | 'reason' | 'status' | 'failure' | 'createdAt' | 'endedAt' | 'reference'
  > {
  origin: 'MERCHANT' | 'DISPUTE';
}

const RETURNS_OF = `
  SELECT id, amount, reason, status, failure, origin, reference, created_at AS "createdAt",
  ended_at AS "endedAt"
  FROM (
    SELECT id, amount_cents AS amount, reason, status, failure, 'MERCHANT' AS origin, created_at,
      coalesce(ended_at, accepted_at) AS ended_at, provider_reference AS reference
    FROM refunds WHERE charge_id = $1
    UNION ALL
    SELECT id, amount_cents, 'dispute', 'DONE', NULL, 'DISPUTE', created_at, resolved_at, NULL
    FROM disputes WHERE charge_id = $1 AND status = 'RESOLVED_CUSTOMER'
    ORDER BY created_at DESC, id DESC LIMIT 100) AS newest
  ORDER BY created_at, id`;

/** Lists the newest hundred refunds and lost disputes of a charge, oldest first. */
export function returnsOf(db: Queryable, chargeId: string): Promise<ChargeReturn[]> {
  return db.query<ChargeReturn & Row>(RETURNS_OF, [chargeId]);
}
