import { aheadOf } from './ahead.ts';
import { type Databases, rowsOf } from './evidence.ts';

/** Something the platform had asked of a provider, and did not know the end of for a while. */
export type UnknownOutcome = {
  kind: 'payout' | 'card' | 'refund';
  id: string;
  /** From asking until the end was recorded, by the time of the databases. */
  ms: number;
};

/** Whoever hears the end so soon has simply been answered. */
const WHILE_MS = 1_000;

const msBetween = (from: string, to: string) => `(extract(epoch FROM ${to} - ${from}) * 1000)::float8`;

/** Where a clock is moved, two dates differ by the moves between them. */
const isUnmoved = (table: string) => `${aheadOf(table)} = interval '0'`;

/** A payout: from when it was to be sent. It is unknown until the provider names its end, however promptly it answers. */
const PAYOUTS = `
  SELECT 'payout' AS kind, id, ${msBetween('started_at', 'ended_at')} AS ms FROM withdrawals
  WHERE method = 'PIX' AND status IN ('COMPLETED', 'FAILED') AND ${isUnmoved('withdrawals')}`;

/** A card: from the order to the charge that is paid; of one that was declined no time is kept. A refund: until the provider took it. */
const CHARGES = `
  SELECT 'card' AS kind, id, ${msBetween('created_at', 'paid_at')} AS ms FROM charges
  WHERE payment_method = 'CARD' AND paid_at IS NOT NULL AND ${isUnmoved('charges')}
  UNION ALL
  SELECT 'refund', id, ${msBetween('created_at', 'accepted_at')} FROM refunds
  WHERE accepted_at IS NOT NULL AND ${isUnmoved('refunds')}`;

/** Those that were unknown for more than a second. What has no end yet is not among them: `rest` names it. */
export async function unknownOutcomes({ charges, withdrawals }: Databases): Promise<UnknownOutcome[]> {
  const all = [
    ...(await rowsOf<UnknownOutcome>(withdrawals, PAYOUTS)),
    ...(await rowsOf<UnknownOutcome>(charges, CHARGES)),
  ];
  return all.filter(({ ms }) => ms > WHILE_MS);
}
