import type { Queryable, Transaction } from '@plataforma/data';
import type { Cents } from '@plataforma/kernel';

interface CardRefund {
  clientId: string;
  chargeId: string;
  idempotencyKey: string | null;
  amount: Cents;
  answer: string;
  createdAt: Date;
}

const APPEND = `
  INSERT INTO card_refunds (client_id, charge_id, idempotency_key, amount_cents, answer, created_at)
  VALUES ($1, $2, $3, $4, $5, $6)`;

/** Fails when the client has used the key before. */
export async function appendCardRefund(tx: Transaction, refund: CardRefund): Promise<void> {
  const { clientId, chargeId, idempotencyKey, amount, answer, createdAt } = refund;
  await tx.query(APPEND, [clientId, chargeId, idempotencyKey, amount, answer, createdAt]);
}

const FIND_ANSWER = 'SELECT answer FROM card_refunds WHERE client_id = $1 AND idempotency_key = $2';

export async function findRefundAnswer(
  db: Queryable,
  clientId: string,
  idempotencyKey: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ answer: string }>(FIND_ANSWER, [clientId, idempotencyKey]);
  return row?.answer;
}
