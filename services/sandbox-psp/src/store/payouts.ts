import type { Queryable, Transaction } from '@plataforma/data';
import type { OrderedEnd, Payout } from '../domain/payout.ts';
import { tableOf } from './table.ts';

const payouts = tableOf<Payout>('payouts', {
  key: 'client_id, payout_id AS id',
  columns: `
    end_to_end_id, amount_cents AS amount, payer_key, payee_key, note, status, requested_at, ended_at,
    ordered_end`,
});

/**
 * Inserts a payout that ends after `delayMs`, or at an order of the control API if `delayMs` is null. Returns
 * false if the client already has a payout with this id.
 */
export async function insertPayout(
  tx: Transaction,
  payout: Payout,
  delayMs: number | null,
): Promise<boolean> {
  const tail = 'ON CONFLICT (client_id, payout_id) DO NOTHING RETURNING true';
  return (await payouts.insert(tx, payout, tail, delayMs)).length > 0;
}

export function findPayout(db: Queryable, clientId: string, id: string): Promise<Payout | undefined> {
  return payouts.find(db, 'WHERE client_id = $1 AND payout_id = $2', [clientId, id]);
}

export function lockDuePayout(tx: Transaction): Promise<Payout | undefined> {
  return payouts.lockDue(tx, "status = 'EM_PROCESSAMENTO'");
}

export const savePayout = payouts.save;

export function listAllPayouts(db: Queryable): Promise<Payout[]> {
  return payouts.list(db, 'ORDER BY position');
}

const LOCK_ID = 'SELECT pg_advisory_xact_lock(17, hashtext($1))';

/**
 * Locks the payout's id, because the payout's row may not exist yet. The control API can set a payout's
 * result before or after the payout is created.
 */
export async function lockPayoutId(tx: Transaction, payoutId: string): Promise<void> {
  await tx.query(LOCK_ID, [payoutId]);
}

const TAKE = 'DELETE FROM payout_ends WHERE payout_id = $1 RETURNING ordered_end';

/**
 * Removes and returns the result that was ordered before the payout was created; null if no result was
 * ordered.
 */
export async function takeOrderedEnd(tx: Transaction, payoutId: string): Promise<OrderedEnd | null> {
  const [row] = await tx.query<{ ordered_end: OrderedEnd }>(TAKE, [payoutId]);
  return row?.ordered_end ?? null;
}

const SAVE_END = `
  INSERT INTO payout_ends (payout_id, ordered_end) VALUES ($1, $2)
  ON CONFLICT (payout_id) DO UPDATE SET ordered_end = excluded.ordered_end`;

/** Stores the ordered result of a payout that does not exist yet. */
export async function saveOrderedEnd(tx: Transaction, payoutId: string, end: OrderedEnd): Promise<void> {
  await tx.query(SAVE_END, [payoutId, end]);
}

/** Locks and returns the payout with this id; undefined if the payout does not exist yet. */
export function lockPayout(tx: Transaction, payoutId: string): Promise<Payout | undefined> {
  return payouts.find(tx, 'WHERE payout_id = $1 FOR NO KEY UPDATE', [payoutId]);
}

const ORDER = `
  UPDATE payouts SET ordered_end = $2, due_at = CASE WHEN $2 = 'hold' THEN 'infinity' ELSE now() END
  WHERE payout_id = $1`;

export async function orderEnd(tx: Transaction, payoutId: string, end: OrderedEnd): Promise<void> {
  await tx.query(ORDER, [payoutId, end]);
}
