import type { Transaction } from '@plataforma/data';
import type { Refund } from '../domain/refund.ts';

const INSERT = `
  INSERT INTO refunds
    (id, charge_id, merchant_id, environment, amount_cents, reason, status, created_at, next_check_at)
  VALUES ($1, $2, $3, $4, $5, $6, 'REQUESTED', $7, $8)`;

type NewRefund = Pick<
  Refund,
  'id' | 'chargeId' | 'merchantId' | 'environment' | 'amount' | 'reason' | 'createdAt'
> & { dueAt: Date };

export async function insertRefund(tx: Transaction, refund: NewRefund): Promise<void> {
  const { id, chargeId, merchantId, environment, amount, reason, createdAt, dueAt } = refund;
  await tx.query(INSERT, [id, chargeId, merchantId, environment, amount, reason, createdAt, dueAt]);
}
