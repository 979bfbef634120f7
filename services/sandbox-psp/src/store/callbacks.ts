import { randomUUID } from 'node:crypto';
import type { Queryable, Transaction } from '@plataforma/chassis';
import type { CallbackOutcome, ClaimedCallback } from '../domain/callback.ts';
import type { Payment } from '../domain/payment.ts';
import { PAYMENT_COLUMNS, type PaymentRow, paymentOf } from './payments.ts';

const APPEND = 'INSERT INTO callbacks (end_to_end_id) SELECT * FROM unnest($1::text[])';

export async function appendCallbacks(tx: Transaction, payments: readonly Payment[]): Promise<void> {
  await tx.query(APPEND, [payments.map(({ endToEndId }) => endToEndId)]);
}

const CLAIM = `
  WITH due AS (
    SELECT end_to_end_id FROM callbacks
    WHERE state = 'PENDING' AND due_at <= now()
    ORDER BY due_at
    LIMIT $1
    FOR UPDATE SKIP LOCKED
  )
  UPDATE callbacks
  SET attempts = callbacks.attempts + 1, lease_token = $2, due_at = now() + $3 * interval '1 millisecond'
  FROM due JOIN payments USING (end_to_end_id)
  WHERE callbacks.end_to_end_id = due.end_to_end_id
  RETURNING ${PAYMENT_COLUMNS}, callbacks.attempts`;

/** Takes up to `limit` callbacks that are due; for `leaseMs` nobody else gets them, after that anybody may. */
export async function claimCallbacks(
  db: Queryable,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<ClaimedCallback[]> {
  const leaseToken = randomUUID();
  const rows = await db.query<PaymentRow & { attempts: number }>(CLAIM, [limit, leaseToken, leaseMs]);
  return rows.map((row) => ({ payment: paymentOf(row), leaseToken, attempts: row.attempts }));
}

const RECORD = `
  UPDATE callbacks
  SET state = $3, due_at = now() + $4 * interval '1 millisecond', lease_token = NULL
  WHERE end_to_end_id = $1 AND lease_token = $2
  RETURNING true`;

/** False when the lease ran out and the callback is another's by now: then nothing is written. */
export async function recordOutcome(
  db: Queryable,
  { payment, leaseToken }: ClaimedCallback,
  outcome: CallbackOutcome,
): Promise<boolean> {
  const delayMs = outcome.state === 'PENDING' ? outcome.delayMs : 0;
  const rows = await db.query(RECORD, [payment.endToEndId, leaseToken, outcome.state, delayMs]);
  return rows.length > 0;
}
