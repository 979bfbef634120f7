import { aheadOf } from './ahead.ts';
import { type Databases, rowsOf } from './evidence.ts';

/** An order at a provider whose outcome was unknown for some time. */
export type UnknownOutcome = {
  kind: 'payout' | 'card' | 'refund';
  id: string;
  /** The time from the order until its outcome was recorded, in milliseconds of the databases' clocks. */
  ms: number;
};

/** An outcome within this time is an ordinary response of the provider. */
const WHILE_MS = 1_000;

const msBetween = (from: string, to: string) => `(extract(epoch FROM ${to} - ${from}) * 1000)::float8`;

/** Leaves out merchants whose sandbox clock was moved, because the moves would count as waiting time. */
const isUnmoved = (table: string) => `${aheadOf(table)} = interval '0'`;

/** Selects payouts. The outcome of a payout is unknown from its start until the provider reports the end. */
const PAYOUTS = `
  SELECT 'payout' AS kind, id, ${msBetween('started_at', 'ended_at')} AS ms FROM withdrawals
  WHERE method = 'PIX' AND status IN ('COMPLETED', 'FAILED') AND ${isUnmoved('withdrawals')}`;

/**
 * Selects the time from each paid card charge's creation to its payment, and from each refund's creation to
 * the provider's acceptance. Declined cards are left out, because no time is stored for them.
 */
const CHARGES = `
  SELECT 'card' AS kind, id, ${msBetween('created_at', 'paid_at')} AS ms FROM charges
  WHERE payment_method = 'CARD' AND paid_at IS NOT NULL AND ${isUnmoved('charges')}
  UNION ALL
  SELECT 'refund', id, ${msBetween('created_at', 'accepted_at')} FROM refunds
  WHERE accepted_at IS NOT NULL AND ${isUnmoved('refunds')}`;

/**
 * Lists outcomes that were unknown for more than a second. Orders that still have no outcome are left out,
 * because the check `rest.ts` reports them.
 */
export async function unknownOutcomes({ charges, withdrawals }: Databases): Promise<UnknownOutcome[]> {
  const all = [
    ...(await rowsOf<UnknownOutcome>(withdrawals, PAYOUTS)),
    ...(await rowsOf<UnknownOutcome>(charges, CHARGES)),
  ];
  return all.filter(({ ms }) => ms > WHILE_MS);
}
