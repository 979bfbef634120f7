import type { Transaction } from '@plataforma/data';
import type { OrderedEnd, PayoutStatus } from '../domain/payout.ts';

const LOCK = 'SELECT pg_advisory_xact_lock(17, hashtext($1))';

/** An order of how a payout ends finds the payout, or is found by it. */
export async function lockPayoutEnd(tx: Transaction, payoutId: string): Promise<void> {
  await tx.query(LOCK, [payoutId]);
}

const TAKE = 'DELETE FROM payout_ends WHERE payout_id = $1 RETURNING ordered_end';

/** What was ordered of a payout before it came; null: nothing. */
export async function takeOrderedEnd(tx: Transaction, payoutId: string): Promise<OrderedEnd | null> {
  const [row] = await tx.query<{ ordered_end: OrderedEnd }>(TAKE, [payoutId]);
  return row?.ordered_end ?? null;
}

const KEEP = `
  INSERT INTO payout_ends (payout_id, ordered_end) VALUES ($1, $2)
  ON CONFLICT (payout_id) DO UPDATE SET ordered_end = excluded.ordered_end`;

export async function keepOrderedEnd(tx: Transaction, payoutId: string, end: OrderedEnd): Promise<void> {
  await tx.query(KEEP, [payoutId, end]);
}

const LOCK_PAYOUT = 'SELECT status FROM payouts WHERE payout_id = $1 FOR NO KEY UPDATE';

/** Undefined: it has not come yet. */
export async function lockPayoutStatus(tx: Transaction, payoutId: string): Promise<PayoutStatus | undefined> {
  const [row] = await tx.query<{ status: PayoutStatus }>(LOCK_PAYOUT, [payoutId]);
  return row?.status;
}

const ORDER = `
  UPDATE payouts SET ordered_end = $2, due_at = CASE WHEN $2 = 'hold' THEN 'infinity' ELSE now() END
  WHERE payout_id = $1`;

export async function orderEnd(tx: Transaction, payoutId: string, end: OrderedEnd): Promise<void> {
  await tx.query(ORDER, [payoutId, end]);
}
