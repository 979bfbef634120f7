import { columnsOf, type Queryable, type SealedTable, type Transaction } from '@plataforma/data';
import { requireTrusted, type SealedRows, sealOf } from '@plataforma/tables';
import { createQueue, type OrderState, type OrderStatus } from '@plataforma/work';
import type { Refund, RefundStatus } from '../domain/refund.ts';
import {
  ORDER_COLUMNS,
  type OrderRow,
  orderStateOf,
  orderValues,
  SET_ORDER,
  type StoredOrder,
  sealedFieldsOf,
  storedStateOf,
} from './order-columns.ts';

export const REFUND_COLUMNS = columnsOf(
  `id, charge_id, merchant_id, environment, reason, status, created_at, ${ORDER_COLUMNS}`,
);
const COLUMNS = REFUND_COLUMNS.join(', ');

export interface RefundRow extends Refund, OrderRow {
  [column: string]: unknown;
}

/**
 * A refund with the state of its order to the provider. A replica of the previous release stores DEBITED
 * before it sends the order. ORDERED may therefore mean an order that was not sent.
 */
export type RefundOrder = Omit<Refund, 'status' | 'attempts'> & OrderState & StoredOrder;

const sealedRefunds: SealedTable = { name: 'refunds', fields: sealedFieldsOf(REFUND_COLUMNS) };
/** The description of refunds for a command that seals existing rows. */
export const refundsToSeal: SealedRows = {
  table: sealedRefunds,
  ...{ key: 'id', keyType: 'uuid', columns: REFUND_COLUMNS },
};

/** Throws INVALID_STATE if the stored refund has no valid seal, so that no order follows. */
export function requireRefundSeal(db: Queryable, refund: RefundOrder): void {
  const row = { ...refund, status: storedStatuses[refund.status] };
  requireTrusted(db, sealedRefunds, row);
}

const FIND_UNREFUSED = `SELECT ${COLUMNS} FROM refunds WHERE charge_id = $1 AND status <> 'REFUSED'`;

/**
 * Finds the pending or completed refund of a charge. The result stays true while the caller holds the row
 * lock of the charge. Does not check the refund's seal.
 */
export async function findUnrefusedRefund(tx: Queryable, chargeId: string): Promise<RefundOrder | null> {
  const [row] = await tx.query<RefundRow>(FIND_UNREFUSED, [chargeId]);
  return row ? refundOrderOf(row) : null;
}

const LOCK = `SELECT ${COLUMNS} FROM refunds WHERE id = $1 FOR UPDATE`;

/** Locks a refund. Throws INVALID_STATE if the refund has no valid seal. */
export async function lockRefund(tx: Transaction, id: string): Promise<RefundOrder> {
  const [row] = await tx.query<RefundRow>(LOCK, [id]);
  if (!row) throw new Error('a refund vanished');
  requireTrusted(tx, sealedRefunds, row);
  return refundOrderOf(row);
}

const INSERT = `
  INSERT INTO refunds
    (id, charge_id, merchant_id, environment, amount_cents, reason, status, created_at, next_check_at, seal)
  VALUES ($1, $2, $3, $4, $5, $6, 'REQUESTED', $7, $8, $9)`;

type NewRefund = Pick<
  Refund,
  'id' | 'chargeId' | 'merchantId' | 'environment' | 'amount' | 'reason' | 'createdAt'
> & { dueAt: Date };

export async function insertRefund(tx: Transaction, refund: NewRefund): Promise<void> {
  const { id, chargeId, merchantId, environment, amount, reason, createdAt, dueAt } = refund;
  // The seal also covers columns that get their default values.
  const row = { ...refund, status: 'REQUESTED', isWatched: false };
  const seal = sealOf(tx, sealedRefunds, row);
  await tx.query(INSERT, [id, chargeId, merchantId, environment, amount, reason, createdAt, dueAt, seal]);
}

const SAVE = `UPDATE refunds SET ${SET_ORDER}, status = $13 WHERE id = $1`;

export async function saveRefund(tx: Transaction, before: RefundOrder, after: RefundOrder): Promise<void> {
  const status = storedStatuses[after.status];
  const stored = storedStateOf(before, after);
  const row = { ...before, ...stored, status };
  const seal = sealOf(tx, sealedRefunds, row);
  await tx.query(SAVE, [before.id, ...orderValues(stored, after, seal), status]);
}

/** The queue of refunds that have not ended, or whose end may still change. */
export const dueRefunds = createQueue<RefundRow>({
  table: 'refunds',
  columns: REFUND_COLUMNS,
  due: 'next_check_at',
  attempts: 'attempts',
  open: "(status IN ('REQUESTED', 'DEBITED', 'ACCEPTED') OR is_watched)",
  lease: { token: 'lease_token', until: 'lease_until' },
});

/**
 * Makes the refund of a card charge due now. If a process holds a lease on the refund, the next claim must
 * wait until the lease ends.
 */
export async function makeCardRefundDue(db: Queryable, chargeId: string): Promise<void> {
  await dueRefunds.makeDue(db, 'charge_id = $1', [chargeId]);
}

const storedStatuses: Record<OrderStatus, RefundStatus> = {
  STORED: 'REQUESTED',
  ORDERED: 'DEBITED',
  UNCONFIRMED: 'DEBITED',
  ACCEPTED: 'ACCEPTED',
  DONE: 'DONE',
  FAILED: 'REFUSED',
};

function statusOf({ status, unconfirmedAt }: RefundRow): OrderStatus {
  if (status === 'REQUESTED') return 'STORED';
  if (status === 'DEBITED') return unconfirmedAt ? 'UNCONFIRMED' : 'ORDERED';
  return status === 'REFUSED' ? 'FAILED' : status;
}

export function refundOrderOf(row: RefundRow): RefundOrder {
  return { ...row, ...orderStateOf(row, statusOf(row)) };
}
