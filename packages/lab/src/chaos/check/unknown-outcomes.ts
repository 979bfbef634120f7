import { aheadOf } from './ahead.ts';
import { type Databases, rowsOf } from './evidence.ts';

/** A provider's order whose outcome was unknown for a while. */
export type UnknownOutcome = {
  kind: 'payout' | 'card' | 'refund';
  id: string;
  /** From the order to the record of its outcome, by the databases' clocks. */
  ms: number;
};

/** A faster outcome is an ordinary response. */
const WHILE_MS = 1_000;

const msBetween = (from: string, to: string) => `(extract(epoch FROM ${to} - ${from}) * 1000)::float8`;

/** Excludes sandboxes with a moved clock, because two dates then differ by the moves between them. */
const isUnmoved = (table: string) => `${aheadOf(table)} = interval '0'`;

/** Payouts, from the planned start. The outcome is unknown until the provider reports the end. */
const PAYOUTS = `
  SELECT 'payout' AS kind, id, ${msBetween('started_at', 'ended_at')} AS ms FROM withdrawals
  WHERE method = 'PIX' AND status IN ('COMPLETED', 'FAILED') AND ${isUnmoved('withdrawals')}`;

/**
 * Paid cards, from the order to the payment; a declined card has no time. Refunds, until the provider
 * accepted the order.
 */
const CHARGES = `
  SELECT 'card' AS kind, id, ${msBetween('created_at', 'paid_at')} AS ms FROM charges
  WHERE payment_method = 'CARD' AND paid_at IS NOT NULL AND ${isUnmoved('charges')}
  UNION ALL
  SELECT 'refund', id, ${msBetween('created_at', 'accepted_at')} FROM refunds
  WHERE accepted_at IS NOT NULL AND ${isUnmoved('refunds')}`;

/**
 * Lists outcomes that were unknown for more than a second. Open orders are not among them: `rest` lists
 * those.
 */
export async function unknownOutcomes({ charges, withdrawals }: Databases): Promise<UnknownOutcome[]> {
  const all = [
    ...(await rowsOf<UnknownOutcome>(withdrawals, PAYOUTS)),
    ...(await rowsOf<UnknownOutcome>(charges, CHARGES)),
  ];
  return all.filter(({ ms }) => ms > WHILE_MS);
}
