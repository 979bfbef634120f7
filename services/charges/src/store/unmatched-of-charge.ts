import type { Queryable, Row } from '@plataforma/data';
import type { Charge } from '../domain/charge.ts';
import type { UnmatchedPayment } from '../domain/payment.ts';

/** The fields of an unmatched payment that the buyer of a charge sees. The payment names this charge. */
export type UnmatchedSummary = Pick<UnmatchedPayment, 'amount' | 'status' | 'paidAt' | 'returnedAt'>;

const COLUMNS = 'amount_cents AS amount, status, paid_at AS "paidAt", returned_at AS "returnedAt"';
const NEWEST = `AND cause <> 'UNKNOWN_CHARGE' ORDER BY created_at DESC, id DESC LIMIT 5`;
const OF_CHARGE = `SELECT ${COLUMNS} FROM unexpected_payments WHERE charge_id = $1 ${NEWEST}`;

/** Lists the newest five unmatched payments of a charge. */
export function listUnmatchedOfCharge(db: Queryable, chargeId: string): Promise<UnmatchedSummary[]> {
  return db.query<UnmatchedSummary & Row>(OF_CHARGE, [chargeId]);
}

/**
 * All charges of a checkout have the same externalId. The query therefore finds them by the index of
 * externalIds.
 */
const OF_VISIT = `
  SELECT ${COLUMNS} FROM unexpected_payments WHERE charge_id IN (
    SELECT id FROM charges WHERE merchant_id = $1 AND environment = $2 AND external_id = $3
      AND right(external_id, 8) = right($3, 8) AND checkout_id = $4) ${NEWEST}`;

/** Lists the unmatched payments of all charges of the visit to which `charge` belongs. */
export function listUnmatchedOfVisit(db: Queryable, charge: Charge): Promise<UnmatchedSummary[]> {
  const { merchantId, environment, externalId, checkoutId } = charge;
  return db.query<UnmatchedSummary & Row>(OF_VISIT, [merchantId, environment, externalId, checkoutId]);
}
