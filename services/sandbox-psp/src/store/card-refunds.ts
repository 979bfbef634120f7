import type { Queryable, Transaction } from '@plataforma/data';
import type { Cents } from '@plataforma/kernel';
import { tableOf } from './table.ts';

interface CardRefund {
  clientId: string;
  idempotencyKey: string | null;
  chargeId: string;
  amount: Cents;
  /** The answer to the first request, in JSON. A repeated request with the same key gets the same answer. */
  answer: string;
  createdAt: Date;
}

const cardRefunds = tableOf<CardRefund>('card_refunds', {
  key: 'client_id, idempotency_key',
  columns: 'charge_id, amount_cents AS amount, answer, created_at',
});

/** Inserts a refund. Throws if the client has used the idempotency key before. */
export async function appendCardRefund(tx: Transaction, refund: CardRefund): Promise<void> {
  await cardRefunds.insert(tx, refund);
}

export async function findRefundAnswer(db: Queryable, clientId: string, idempotencyKey: string) {
  const sameRequest = 'WHERE client_id = $1 AND idempotency_key = $2';
  return (await cardRefunds.find(db, sameRequest, [clientId, idempotencyKey]))?.answer;
}
