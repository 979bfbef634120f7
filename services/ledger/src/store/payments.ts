import type { Queryable } from '@plataforma/data';
import type { Cents, Environment, Tenant } from '@plataforma/kernel';

/**
 * A payment in the ledger, with the refunds, returns and lost disputes recorded so far. Amounts are cents.
 */
export interface BookedPayment {
  /** The id of the ledger's entry. */
  id: string;
  kind: 'charge_paid' | 'unexpected_payment_received';
  /** The id of the charge or of the unmatched payment. */
  reference: string;
  merchantId: string;
  paymentMethod: string;
  received: Cents;
  /** The cents that were refunded or returned to the payer. Refused refunds do not count. */
  returned: Cents;
  /** The cents that were paid to the payer because of lost disputes. */
  lost: Cents;
}

export interface Period {
  environment: Environment;
  /** The start (inclusive) as an ISO time. The end `to` is exclusive. */
  from: string;
  to: string;
}

/**
 * The conditions must equal those of the partial indexes `journal_entries_payments` and `…_reversals`, so
 * that PostgreSQL can use these indexes.
 */
const FIND = `
  WITH arrived AS (
    SELECT e.id, e.kind, e.reference, e.merchant_id, e.occurred_at FROM journal_entries e
    WHERE e.environment = $1 AND e.occurred_at >= $2::timestamptz AND e.occurred_at < $3::timestamptz
      AND ($4::uuid IS NULL
        OR (e.occurred_at, e.id) > ((SELECT occurred_at FROM journal_entries WHERE id = $4), $4))
      AND e.kind IN ('charge_paid', 'unexpected_payment_received')
    ORDER BY e.occurred_at, e.id LIMIT $5)
  SELECT arrived.id, arrived.kind, arrived.reference, arrived.merchant_id AS "merchantId",
    split_part(own.account, ':', 2) AS "paymentMethod", -own.amount_cents AS received,
    coalesce(later.returned, 0) + coalesce(back.returned, 0) AS returned, coalesce(later.lost, 0) AS lost
  FROM arrived
  JOIN journal_lines own ON own.entry_id = arrived.id AND own.account LIKE 'clearing:%'
  LEFT JOIN LATERAL (
    SELECT sum(l.amount_cents) FILTER (WHERE e.kind <> 'dispute_lost')::bigint AS returned,
      sum(l.amount_cents) FILTER (WHERE e.kind = 'dispute_lost')::bigint AS lost
    FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id AND l.account LIKE 'clearing:%'
    WHERE e.charge_id = arrived.reference AND arrived.kind = 'charge_paid'
      AND e.kind IN ('refund', 'refund_refused', 'dispute_lost')) later ON true
  LEFT JOIN LATERAL (
    SELECT sum(l.amount_cents)::bigint AS returned
    FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id AND l.account LIKE 'clearing:%'
    WHERE e.kind = 'unexpected_payment_returned' AND e.reference = arrived.reference
      AND arrived.kind = 'unexpected_payment_received') back ON true
  ORDER BY arrived.occurred_at, arrived.id`;

/** Lists the payments of a period that follow the entry `after`, the oldest first. */
export async function findPayments(
  db: Queryable,
  { environment, from, to }: Period,
  { after, limit }: { after: string | null; limit: number },
): Promise<BookedPayment[]> {
  return db.queryUnprepared<BookedPayment>(FIND, [environment, from, to, after, limit]);
}

export async function entryExists(db: Queryable, id: string): Promise<boolean> {
  return (await db.query('SELECT 1 FROM journal_entries WHERE id = $1', [id])).length > 0;
}

const FIND_DEBT = `
  SELECT coalesce(sum(l.amount_cents), 0)::bigint AS debt
  FROM journal_entries e LEFT JOIN journal_lines l ON l.entry_id = e.id AND l.account = 'dispute_exposure'
  WHERE e.kind = 'dispute_opened' AND e.reference = $1 AND e.merchant_id = $2 AND e.environment = $3
  GROUP BY e.id`;

/**
 * Returns the cents that the merchant's money did not cover in a dispute. Returns null if the dispute is not
 * posted yet.
 */
export async function findDisputeDebt(
  db: Queryable,
  { merchantId, environment }: Tenant,
  disputeId: string,
): Promise<Cents | null> {
  const [found] = await db.query<{ debt: Cents }>(FIND_DEBT, [disputeId, merchantId, environment]);
  return found?.debt ?? null;
}

const FIND_PAID = `
  SELECT
    EXISTS (SELECT FROM journal_entries WHERE kind = 'charge_paid' AND reference = $1) AS "isBooked",
    coalesce((SELECT remaining_cents FROM receivables
      WHERE charge_id = $1 AND merchant_id = $2 AND environment = $3), 0)::bigint AS pending`;

/** Returns whether a charge's payment is posted, and how many cents of it are not settled yet. */
export async function findPaid(
  db: Queryable,
  { merchantId, environment }: Tenant,
  chargeId: string,
): Promise<{ isBooked: boolean; pending: Cents }> {
  const values = [chargeId, merchantId, environment];
  const [paid] = await db.query<{ isBooked: boolean; pending: Cents }>(FIND_PAID, values);
  return paid ?? { isBooked: false, pending: 0 };
}
