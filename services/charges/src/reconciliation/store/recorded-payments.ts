import type { Queryable, Row } from '@plataforma/data';
import type { Cents, Environment } from '@plataforma/kernel';
import type { PaymentMethod } from '../../domain/charge.ts';
import type { Statement } from '../domain/reconciliation.ts';

export interface RecordedPayment extends Statement {
  chargeId: string | null;
  unexpectedPaymentId: string | null;
  merchantId: string | null;
  paymentMethod: PaymentMethod;
  providerReference: string | null;
  /** The txid of the charge that the payment names. */
  txid: string | null;
  undecided: Cents;
}

/**
 * Selects payments by the time of payment from `from` until before `to`, by provider references, or by ids.
 */
export type Selection =
  | { from: Date; to: Date }
  | { providerReferences: readonly string[] }
  | { ids: readonly string[] };

const OF_CHARGES = `
  SELECT c.id AS "chargeId", NULL::uuid AS "unexpectedPaymentId", c.merchant_id AS "merchantId",
    c.payment_method AS "paymentMethod", coalesce(c.end_to_end_id, c.acquirer_id) AS "providerReference",
    c.txid,
    c.amount_cents AS received,
    (SELECT coalesce(sum(r.amount_cents), 0)::bigint FROM refunds r
     WHERE r.charge_id = c.id AND r.status IN ('DEBITED', 'ACCEPTED', 'DONE')) AS returned,
    (SELECT coalesce(sum(d.amount_cents), 0)::bigint FROM disputes d
     WHERE d.charge_id = c.id AND d.status = 'RESOLVED_CUSTOMER') AS lost,
    (SELECT coalesce(sum(d.amount_cents), 0)::bigint FROM disputes d
     WHERE d.charge_id = c.id AND d.status IN ('OPEN', 'UNDER_REVIEW')) AS undecided
  FROM charges c WHERE c.environment = $1 AND c.paid_at IS NOT NULL`;

const OF_UNMATCHED = `
  SELECT u.charge_id AS "chargeId", u.id AS "unexpectedPaymentId", u.merchant_id AS "merchantId",
    'PIX' AS "paymentMethod", u.end_to_end_id AS "providerReference",
    CASE WHEN u.charge_id IS NOT NULL THEN u.txid END AS txid, u.amount_cents AS received,
    CASE u.status WHEN 'RETURNED' THEN u.amount_cents ELSE 0 END AS returned, 0::bigint AS lost,
    0::bigint AS undecided
  FROM unexpected_payments u WHERE u.environment = $1`;

export async function findRecordedPayments(
  db: Queryable,
  environment: Environment,
  selection: Selection,
): Promise<RecordedPayment[]> {
  const { ofCharges, ofUnmatched, values } = conditionsOf(selection);
  const text = `${OF_CHARGES} AND ${ofCharges} UNION ALL ${OF_UNMATCHED} AND ${ofUnmatched}`;
  return db.query<RecordedPayment & Row>(text, [environment, ...values]);
}

function conditionsOf(selection: Selection) {
  if ('from' in selection) {
    const within = (paidAt: string) => `${paidAt} >= $2 AND ${paidAt} < $3`;
    const values = [selection.from, selection.to];
    return { ofCharges: within('c.paid_at'), ofUnmatched: within('u.paid_at'), values };
  }
  if ('ids' in selection) {
    const values = [selection.ids];
    return { ofCharges: 'c.id = ANY ($2::uuid[])', ofUnmatched: 'u.id = ANY ($2::uuid[])', values };
  }
  return {
    ofCharges: `c.id IN (
      SELECT charge_id FROM payments WHERE end_to_end_id = ANY ($2::text[])
      UNION ALL SELECT id FROM charges WHERE acquirer_id = ANY ($2::text[]))`,
    ofUnmatched: 'u.end_to_end_id = ANY ($2::text[])',
    values: [selection.providerReferences],
  };
}
