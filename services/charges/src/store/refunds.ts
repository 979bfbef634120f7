import { columnsOf, type Queryable, type Transaction } from '@plataforma/data';
import { createQueue, type OrderState, type OrderStatus } from '@plataforma/work';
import type { Refund, RefundStatus } from '../domain/refund.ts';
import { ORDER_COLUMNS, type OrderRow, orderStateOf, orderValues, SET_ORDER } from './order-columns.ts';

export const REFUND_COLUMNS = columnsOf(
  `id, charge_id, merchant_id, environment, reason, status, created_at, ${ORDER_COLUMNS}`,
);
const COLUMNS = REFUND_COLUMNS.join(', ');

export interface RefundRow extends Refund, OrderRow {
  [column: string]: unknown;
}

/** A refund with the state of its order to the provider; ORDERED, too, when the release before has debited it. */
export type RefundOrder = Omit<Refund, 'status' | 'attempts'> & OrderState;

const INSERT = `
  INSERT INTO refunds
    (id, charge_id, merchant_id, environment, amount_cents, reason, status, created_at, next_check_at)
  VALUES ($1, $2, $3, $4, $5, $6, 'REQUESTED', $7, $7)`;

type NewRefund = Pick<
  Refund,
  'id' | 'chargeId' | 'merchantId' | 'environment' | 'amount' | 'reason' | 'createdAt'
>;

/** It is due at once. */
export async function insertRefund(tx: Transaction, refund: NewRefund): Promise<void> {
  const { id, chargeId, merchantId, environment, amount, reason, createdAt } = refund;
  await tx.query(INSERT, [id, chargeId, merchantId, environment, amount, reason, createdAt]);
}

const FIND_STANDING = `SELECT ${COLUMNS} FROM refunds WHERE charge_id = $1 AND status <> 'REFUSED'`;

/** The one refund of a charge that is under way or done; settled while the charge is locked. */
export async function findStandingRefund(tx: Queryable, chargeId: string): Promise<RefundOrder | null> {
  const [row] = await tx.query<RefundRow>(FIND_STANDING, [chargeId]);
  return row ? refundOrderOf(row) : null;
}

const LOCK = `SELECT ${COLUMNS} FROM refunds WHERE id = $1 FOR UPDATE`;

export async function lockRefund(tx: Transaction, id: string): Promise<RefundOrder> {
  const [row] = await tx.query<RefundRow>(LOCK, [id]);
  if (!row) throw new Error('a refund vanished');
  return refundOrderOf(row);
}

const SAVE = `UPDATE refunds SET status = $11, ${SET_ORDER} WHERE id = $1`;

export async function saveRefund(tx: Transaction, before: RefundOrder, after: RefundOrder): Promise<void> {
  await tx.query(SAVE, [before.id, ...orderValues(before, after), storedStatuses[after.status]]);
}

const OPEN = "(status IN ('REQUESTED', 'DEBITED', 'ACCEPTED') OR is_watched)";

/** Refunds that are not at their end, or may not be. */
export const dueRefunds = createQueue<RefundRow>({
  table: 'refunds',
  columns: REFUND_COLUMNS,
  due: 'next_check_at',
  attempts: 'attempts',
  open: OPEN,
  lease: { token: 'lease_token', until: 'lease_until' },
});

const HASTEN = `
  UPDATE refunds SET next_check_at = now()
  WHERE ${OPEN} AND charge_id IN (SELECT id FROM charges WHERE end_to_end_id = ANY($1))`;

/** The provider has news of these payments: their refunds are due, as soon as the claims on them have ended. */
export async function hastenRefunds(db: Queryable, endToEndIds: readonly string[]): Promise<void> {
  await db.query(HASTEN, [endToEndIds]);
}

const HASTEN_OF_CHARGE = `UPDATE refunds SET next_check_at = now() WHERE ${OPEN} AND charge_id = $1`;

export async function hastenCardRefund(db: Queryable, chargeId: string): Promise<void> {
  await db.query(HASTEN_OF_CHARGE, [chargeId]);
}

const storedStatuses: Record<OrderStatus, RefundStatus> = {
  STORED: 'REQUESTED',
  ORDERED: 'DEBITED',
  UNCONFIRMED: 'DEBITED',
  ACCEPTED: 'ACCEPTED',
  DONE: 'DONE',
  FAILED: 'REFUSED',
};

function statusOf({ status, doubtedAt }: RefundRow): OrderStatus {
  if (status === 'REQUESTED') return 'STORED';
  if (status === 'DEBITED') return doubtedAt ? 'UNCONFIRMED' : 'ORDERED';
  return status === 'REFUSED' ? 'FAILED' : status;
}

export function refundOrderOf(row: RefundRow): RefundOrder {
  return { ...row, ...orderStateOf(row, statusOf(row)) };
}
