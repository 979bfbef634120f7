import type { Queryable, Transaction } from '@plataforma/data';
import type { Nature, Refund, RefundStatus } from '../domain/refund.ts';

/** A refund as JSON inside a payment's row. */
export interface RefundJson {
  id: string;
  return_id: string;
  amount_cents: number;
  nature: Nature;
  description: string | null;
  status: RefundStatus;
  is_refused: boolean;
  requested_at: string;
  ended_at: string | null;
}

/** Read in the payment's own statement, so that they are of the same moment. */
export const REFUNDS_COLUMN = `
  (SELECT json_agg(json_build_object(
      'id', refund_id, 'return_id', return_id, 'amount_cents', amount_cents, 'nature', nature,
      'description', description,
      'status', status, 'is_refused', is_refused, 'requested_at', requested_at, 'ended_at', ended_at
    ) ORDER BY position)
    FROM refunds WHERE refunds.end_to_end_id = payments.end_to_end_id) AS refunds`;

export function refundsOf(json: readonly RefundJson[] | null): Refund[] {
  return (json ?? []).map((row) => ({
    id: row.id,
    returnId: row.return_id,
    amount: row.amount_cents,
    nature: row.nature,
    description: row.description,
    status: row.status,
    isRefused: row.is_refused,
    requestedAt: new Date(row.requested_at),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  }));
}

const APPEND = `
  INSERT INTO refunds
    (end_to_end_id, refund_id, return_id, amount_cents, description, is_refused, requested_at, due_at, nature, status,
      ended_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 millisecond', $9, $10, $11)`;

/** A refund that has begun and is due to end after `delayMs`, or that has ended. */
export async function appendRefund(
  tx: Transaction,
  refund: Refund,
  { endToEndId, delayMs = 0 }: { endToEndId: string; delayMs?: number },
): Promise<void> {
  await tx.query(APPEND, [
    endToEndId,
    refund.id,
    refund.returnId,
    refund.amount,
    refund.description,
    refund.isRefused,
    refund.requestedAt,
    delayMs,
    refund.nature,
    refund.status,
    refund.endedAt,
  ]);
}

const LOCK_DUE = `
  SELECT end_to_end_id, refund_id, payments.client_id
  FROM refunds JOIN payments USING (end_to_end_id)
  WHERE refunds.status = 'EM_PROCESSAMENTO' AND refunds.due_at <= now()
  ORDER BY refunds.due_at
  LIMIT 1
  FOR UPDATE OF refunds SKIP LOCKED`;

interface DueRow {
  end_to_end_id: string;
  refund_id: string;
  client_id: string;
}

/** Locks a refund that is due to end and that nobody else is ending. */
export async function lockDueRefund(tx: Transaction) {
  const [row] = await tx.query<DueRow>(LOCK_DUE);
  return row && { clientId: row.client_id, endToEndId: row.end_to_end_id, refundId: row.refund_id };
}

const SAVE_END = `
  UPDATE refunds SET status = $3, ended_at = $4
  WHERE end_to_end_id = $1 AND refund_id = $2`;

export async function saveRefundEnd(db: Queryable, endToEndId: string, refund: Refund): Promise<void> {
  await db.query(SAVE_END, [endToEndId, refund.id, refund.status, refund.endedAt]);
}
