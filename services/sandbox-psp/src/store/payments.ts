import type { Database, Queryable, Transaction } from '@plataforma/data';
import type { Payment } from '../domain/payment.ts';
import { REFUNDS, type RefundJson, refundsOf } from './refunds.ts';
import { type Page, readObjects, tableOf } from './table.ts';

interface NewPayment extends Omit<Payment, 'refunds'> {
  /** The txid of the paid charge; null for a payment without a charge. */
  chargeTxid: string | null;
  /** The id of the payer's order; null without such an id. A repeated order finds its payment by this id. */
  orderId: string | null;
}

export type StoredPayment = NewPayment & { refunds: RefundJson[] | null };

export const payments = tableOf<NewPayment, StoredPayment>('payments', {
  key: 'end_to_end_id',
  columns: 'client_id, txid, pix_key, amount_cents AS amount, paid_at, charge_txid, order_id',
  computed: { refunds: REFUNDS },
});

export function paymentOf({ chargeTxid: _, orderId: __, refunds, ...payment }: StoredPayment): Payment {
  return { ...payment, refunds: refundsOf(refunds) };
}

/** Inserts payments of one charge, or payments without a charge. */
export async function appendPayments(
  tx: Transaction,
  made: readonly Payment[],
  { chargeTxid, orderId = null }: { chargeTxid: string | null; orderId?: string | null },
): Promise<void> {
  for (const payment of made) await payments.insert(tx, { ...payment, chargeTxid, orderId });
}

async function list(db: Queryable, tail: string, values: readonly unknown[]): Promise<Payment[]> {
  return (await payments.list(db, tail, values)).map(paymentOf);
}

const FIND = 'WHERE end_to_end_id = $1 AND client_id = $2';

export async function findPayment(db: Queryable, clientId: string, endToEndId: string) {
  return (await list(db, FIND, [endToEndId, clientId]))[0];
}

const FIND_OF_CHARGE = `
  WHERE txid = $1 AND client_id = $2
    AND CASE WHEN $3::text IS NULL THEN charge_txid IS NOT NULL ELSE end_to_end_id = $3 END
  ORDER BY position LIMIT 1`;

/**
 * Finds the payment of a charge with this end-to-end id, or the charge's first payment if the id is
 * undefined.
 */
export async function findPaymentOf(
  tx: Transaction,
  { txid, clientId }: { txid: string; clientId: string },
  endToEndId: string | undefined,
): Promise<Payment | undefined> {
  return (await list(tx, FIND_OF_CHARGE, [txid, clientId, endToEndId]))[0];
}

const FIND_OF_ORDER = 'WHERE order_id = $1 AND charge_txid = $2 AND client_id = $3 ORDER BY position';

/** Finds the payments that an earlier request with this order id recorded for the charge. */
export function findPaymentsOfOrder(
  tx: Transaction,
  { txid, clientId }: { txid: string; clientId: string },
  orderId: string,
): Promise<Payment[]> {
  return list(tx, FIND_OF_ORDER, [orderId, txid, clientId]);
}

const LOCK = `SELECT 1 FROM payments ${FIND} FOR NO KEY UPDATE`;

/**
 * Locks a payment against changes of its refunds. The second statement reads the payment again, because
 * refunds may have been committed while the first statement waited for the lock.
 */
export async function lockPayment(tx: Transaction, clientId: string, endToEndId: string) {
  await tx.query(LOCK, [endToEndId, clientId]);
  return findPayment(tx, clientId, endToEndId);
}

interface PaymentFilter {
  clientId: string;
  /** The start of the period. Payments at exactly `from` or `to` belong to the period. */
  from: Date;
  to: Date;
  txid: string | undefined;
}

const OF_PERIOD = 'client_id = $1 AND paid_at BETWEEN $2 AND $3';

export async function listPayments(
  database: Database,
  { clientId, from, to, txid }: PaymentFilter,
  page: Page,
) {
  const period = [clientId, from, to];
  const all = [OF_PERIOD, period] as const;
  const filter = txid === undefined ? all : ([`${OF_PERIOD} AND txid = $4`, [...period, txid]] as const);
  const { items, total } = await payments.listPage(database, 'paid_at', filter, page);
  return { payments: items.map(paymentOf), total };
}

const LIST_WITH_CALLBACKS = `
  SELECT ${payments.selected('payment.')}, callbacks.state AS "callback.state",
  callbacks.attempts AS "callback.attempts"
  FROM payments LEFT JOIN callbacks
    ON callbacks.kind = 'PAYMENT' AND callbacks.subject = payments.end_to_end_id
  ORDER BY payments.position`;

/** Lists all payments, each with the state of its callback; the callback is null if the payment has none. */
export async function listAllPayments(db: Queryable) {
  type Listed = { payment: StoredPayment; callback: { state: string; attempts: number } | null };
  const rows = await readObjects<Listed>(db, LIST_WITH_CALLBACKS);
  return rows.map(({ payment, callback }) => ({ payment: paymentOf(payment), callback }));
}
