import type { Queryable, Transaction } from '@plataforma/data';
import type { Payment } from '../domain/payment.ts';
import { REFUNDS_COLUMN, type RefundJson, refundsOf } from './refunds.ts';

export interface PaymentRow {
  end_to_end_id: string;
  client_id: string;
  txid: string | null;
  pix_key: string;
  amount_cents: number;
  paid_at: Date;
  refunds: RefundJson[] | null;
}

export const PAYMENT_COLUMNS = `
  payments.end_to_end_id, payments.client_id, payments.txid, payments.pix_key, payments.amount_cents,
  payments.paid_at, ${REFUNDS_COLUMN}`;

const APPEND = `
  INSERT INTO payments (charge_txid, order_id, end_to_end_id, client_id, txid, pix_key, amount_cents, paid_at)
  SELECT $1, $2::uuid, * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::timestamptz[])`;

/** Keeps payments that have come for one charge, or for none. */
export async function appendPayments(
  tx: Transaction,
  payments: readonly Payment[],
  { chargeTxid, orderId = null }: { chargeTxid: string | null; orderId?: string | null },
): Promise<void> {
  await tx.query(APPEND, [
    chargeTxid,
    orderId,
    payments.map(({ endToEndId }) => endToEndId),
    payments.map(({ clientId }) => clientId),
    payments.map(({ txid }) => txid),
    payments.map(({ pixKey }) => pixKey),
    payments.map(({ amount }) => amount),
    payments.map(({ paidAt }) => paidAt),
  ]);
}

const FIND = `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE end_to_end_id = $1 AND client_id = $2`;

export async function findPayment(
  db: Queryable,
  clientId: string,
  endToEndId: string,
): Promise<Payment | undefined> {
  const [row] = await db.query<PaymentRow>(FIND, [endToEndId, clientId]);
  return row && paymentOf(row);
}

const FIND_FIRST = `
  SELECT ${PAYMENT_COLUMNS} FROM payments
  WHERE txid = $1 AND client_id = $2 AND charge_txid IS NOT NULL
  ORDER BY position
  LIMIT 1`;

/** The payment that concluded the charge, or would have. */
async function findFirstPayment(
  db: Queryable,
  { txid, clientId }: { txid: string; clientId: string },
): Promise<Payment | undefined> {
  const [row] = await db.query<PaymentRow>(FIND_FIRST, [txid, clientId]);
  return row && paymentOf(row);
}

/** Finds a payment of a charge by its end-to-end id, or else the first one. */
export async function findPaymentOf(
  tx: Transaction,
  charge: { txid: string; clientId: string },
  endToEndId: string | undefined,
): Promise<Payment | undefined> {
  if (endToEndId === undefined) return findFirstPayment(tx, charge);
  const payment = await findPayment(tx, charge.clientId, endToEndId);
  return payment?.txid === charge.txid ? payment : undefined;
}

const FIND_OF_ORDER = `
  SELECT ${PAYMENT_COLUMNS} FROM payments
  WHERE order_id = $1 AND charge_txid = $2 AND client_id = $3
  ORDER BY position`;

/** What was paid for the charge when this order came before. */
export async function findPaymentsOfOrder(
  tx: Transaction,
  { txid, clientId }: { txid: string; clientId: string },
  orderId: string,
): Promise<Payment[]> {
  return (await tx.query<PaymentRow>(FIND_OF_ORDER, [orderId, txid, clientId])).map(paymentOf);
}

const LOCK = `
  SELECT 1 FROM payments WHERE end_to_end_id = $1 AND client_id = $2
  FOR NO KEY UPDATE`;

/**
 * Locks the payment, and with it the making and ending of its refunds. Two statements: the one that waits for a
 * lock still sees the refunds of the moment it began.
 */
export async function lockPayment(
  tx: Transaction,
  clientId: string,
  endToEndId: string,
): Promise<Payment | undefined> {
  await tx.query(LOCK, [endToEndId, clientId]);
  return findPayment(tx, clientId, endToEndId);
}

export interface PaymentFilter {
  clientId: string;
  /** Both ends belong to the period. */
  from: Date;
  to: Date;
  txid: string | undefined;
}

export interface Page {
  /** Counts from 0. */
  index: number;
  size: number;
}

const OF_PERIOD = 'FROM payments WHERE client_id = $1 AND paid_at BETWEEN $2 AND $3';
const OF_PERIOD_AND_TXID = `${OF_PERIOD} AND txid = $4`;

/** The payments of a period on one page, oldest first, and how many there are in all. */
export async function listPayments(db: Queryable, filter: PaymentFilter, { index, size }: Page) {
  const { clientId, from, to, txid } = filter;
  const [where, values] =
    txid === undefined ? [OF_PERIOD, [clientId, from, to]] : [OF_PERIOD_AND_TXID, [clientId, from, to, txid]];
  const [counted] = await db.query<{ total: number }>(`SELECT count(*) AS total ${where}`, values);
  const limit = `LIMIT $${values.length + 1} OFFSET $${values.length + 2}`;
  const rows = await db.query<PaymentRow>(
    `SELECT ${PAYMENT_COLUMNS} ${where} ORDER BY paid_at, position ${limit}`,
    [...values, size, index * size],
  );
  return { payments: rows.map(paymentOf), total: counted?.total ?? 0 };
}

export function paymentOf(row: PaymentRow): Payment {
  return {
    endToEndId: row.end_to_end_id,
    clientId: row.client_id,
    txid: row.txid,
    pixKey: row.pix_key,
    amount: row.amount_cents,
    paidAt: row.paid_at,
    refunds: refundsOf(row.refunds),
  };
}
