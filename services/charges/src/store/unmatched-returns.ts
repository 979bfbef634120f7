import type { Queryable, Transaction } from '@plataforma/data';
import { requireTrusted, sealOf } from '@plataforma/tables';
import { createQueue, type OrderState, type OrderStatus } from '@plataforma/work';
import type { UnmatchedPayment } from '../domain/payment.ts';
import {
  type OrderRow,
  orderStateOf,
  orderValues,
  SET_ORDER,
  type StoredOrder,
  storedStateOf,
} from './order-columns.ts';
import { dueRefunds } from './refunds.ts';
import { sealedReturns, UNMATCHED_COLUMNS } from './sealed-returns.ts';

const COLUMNS = UNMATCHED_COLUMNS.join(', ');

export interface UnmatchedRow extends UnmatchedPayment, OrderRow {
  orderedAt: Date | null;
  [column: string]: unknown;
}

export type ReturnOrder = Omit<UnmatchedPayment, 'status' | 'attempts'> &
  OrderState &
  StoredOrder &
  Pick<UnmatchedRow, 'orderedAt'>;

/** Throws INVALID_STATE if the stored payment has no valid seal, so that no order follows. */
export function requireReturnSeal(db: Queryable, payment: ReturnOrder): void {
  const row = { ...payment, status: storedStatuses[payment.status] };
  requireTrusted(db, sealedReturns, row);
}

/**
 * The queue of unmatched payments that must be returned, or whose return has ended but may still change at
 * the provider.
 */
export const dueReturns = createQueue<UnmatchedRow>({
  table: 'unexpected_payments',
  columns: UNMATCHED_COLUMNS,
  due: 'next_check_at',
  attempts: 'attempts',
  open: "(status = 'RETURNING' OR is_watched)",
  lease: { token: 'lease_token', until: 'lease_until' },
});

/** Makes the refunds and the returns of these payments due as soon as their leases have ended. */
export async function makeRefundsAndReturnsDue(db: Queryable, endToEndIds: readonly string[]): Promise<void> {
  const ofCharge = 'charge_id IN (SELECT charge_id FROM payments WHERE end_to_end_id = ANY($1))';
  await dueRefunds.makeDue(db, ofCharge, [endToEndIds]);
  await dueReturns.makeDue(db, 'end_to_end_id = ANY($1)', [endToEndIds]);
}

const LOCK = `SELECT ${COLUMNS} FROM unexpected_payments WHERE id = $1 FOR UPDATE`;

/** Locks an unmatched payment. Throws INVALID_STATE if the payment has no valid seal. */
export async function lockReturn(tx: Transaction, id: string): Promise<ReturnOrder> {
  const [row] = await tx.query<UnmatchedRow>(LOCK, [id]);
  if (!row) throw new Error('unmatched payment missing');
  requireTrusted(tx, sealedReturns, row);
  return returnOrderOf(row);
}

const SAVE = `
  UPDATE unexpected_payments SET ${SET_ORDER}, status = $13, returned_at = $14, ordered_at = $15
  WHERE id = $1`;

/**
 * Saves the state of a return. `orderedAt` is the time at which the order is sent, or null if no order is
 * sent now.
 */
export async function saveReturn(
  tx: Transaction,
  before: ReturnOrder,
  after: ReturnOrder & { orderedAt: Date | null },
): Promise<void> {
  const status = storedStatuses[after.status];
  const stored = storedStateOf(before, after);
  const times = { returnedAt: after.returnedAt, orderedAt: before.orderedAt ?? after.orderedAt };
  const row = { ...before, ...stored, ...times, status };
  const seal = sealOf(tx, sealedReturns, row);
  const values = [...orderValues(stored, after, seal), status, times.returnedAt, times.orderedAt];
  await tx.query(SAVE, [before.id, ...values]);
}

const storedStatuses: Record<OrderStatus, UnmatchedPayment['status']> = {
  STORED: 'RETURNING',
  ORDERED: 'RETURNING',
  UNCONFIRMED: 'RETURNING',
  ACCEPTED: 'RETURNING',
  DONE: 'RETURNED',
  FAILED: 'RETURN_REFUSED',
};

function statusOf(row: UnmatchedRow): OrderStatus {
  if (row.status === 'RETURNED') return 'DONE';
  if (row.status === 'RETURN_REFUSED') return 'FAILED';
  if (row.acceptedAt) return 'ACCEPTED';
  if (row.unconfirmedAt) return 'UNCONFIRMED';
  return row.orderedAt || mayHaveLeft(row) ? 'ORDERED' : 'STORED';
}

/**
 * Returns whether an earlier claim may have sent an order. The previous release does not record sent orders,
 * so every claim except the current one counts.
 */
function mayHaveLeft({ attempts, leaseToken }: UnmatchedRow): boolean {
  return attempts > (leaseToken === null ? 0 : 1);
}

export function returnOrderOf(row: UnmatchedRow): ReturnOrder {
  return { ...row, ...orderStateOf(row, statusOf(row)) };
}
