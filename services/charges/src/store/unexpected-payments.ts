import type { Queryable, Transaction } from '@plataforma/chassis';
import type { Environment } from '@plataforma/kernel';
import { createQueue } from '@plataforma/work';
import type { UnexpectedPayment } from '../domain/payment.ts';
import { EVER_MORE_RARELY } from './ever-more-rarely.ts';
import { WITH_NUMBER } from './payments.ts';

export const UNEXPECTED_COLUMNS = [
  'id',
  'end_to_end_id',
  'environment',
  'merchant_id',
  'charge_id',
  'txid',
  'amount_cents',
  'paid_at',
  'cause',
  'status',
  'failure',
  'attempts',
  'returned_at',
  'doubted_at',
] as const;
const COLUMNS = UNEXPECTED_COLUMNS.join(', ');

export interface UnexpectedRow {
  id: string;
  end_to_end_id: string;
  environment: Environment;
  merchant_id: string | null;
  charge_id: string | null;
  txid: string | null;
  amount_cents: number;
  paid_at: Date;
  cause: UnexpectedPayment['cause'];
  status: UnexpectedPayment['status'];
  failure: string | null;
  attempts: number;
  returned_at: Date | null;
  doubted_at: Date | null;
  [column: string]: unknown;
}

const INSERT = `${WITH_NUMBER}
  INSERT INTO unexpected_payments
    (end_to_end_id, id, environment, merchant_id, charge_id, txid, amount_cents, paid_at, cause, status, next_check_at)
  SELECT end_to_end_id, $2::uuid, $3, $4::uuid, $5::uuid, $6, $7::bigint, $8::timestamptz, $9, 'RETURNING', now()
  FROM number
  RETURNING id`;

/** False: this payment is recorded already, as this or as what paid a charge. */
export async function insertUnexpectedPayment(
  tx: Transaction,
  payment: Omit<UnexpectedPayment, 'status' | 'failure' | 'attempts' | 'returnedAt' | 'doubtedAt'>,
): Promise<boolean> {
  const { id, endToEndId, environment, merchantId, chargeId, txid, amount, paidAt, cause } = payment;
  const values = [endToEndId, id, environment, merchantId, chargeId, txid, amount, paidAt, cause];
  return (await tx.query(INSERT, values)).length === 1;
}

/** Money that must go back. */
export const dueReturns = createQueue<UnexpectedRow>({
  table: 'unexpected_payments',
  columns: UNEXPECTED_COLUMNS,
  due: 'next_check_at',
  attempts: 'attempts',
  open: "status = 'RETURNING'",
  rest: EVER_MORE_RARELY,
});

const LOCK = `SELECT ${COLUMNS} FROM unexpected_payments WHERE id = $1 FOR UPDATE`;

export async function lockUnexpectedPayment(tx: Transaction, id: string): Promise<UnexpectedPayment> {
  const [row] = await tx.query<UnexpectedRow>(LOCK, [id]);
  if (!row) throw new Error('an unexpected payment vanished');
  return unexpectedPaymentOf(row);
}

const SAVE = 'UPDATE unexpected_payments SET status = $2, failure = $3, returned_at = $4 WHERE id = $1';

export async function saveUnexpectedPayment(tx: Transaction, payment: UnexpectedPayment): Promise<void> {
  await tx.query(SAVE, [payment.id, payment.status, payment.failure, payment.returnedAt]);
}

const DOUBT = `
  UPDATE unexpected_payments SET failure = $2, doubted_at = $3, next_check_at = $4
  WHERE id = $1 AND status = 'RETURNING' AND doubted_at IS NULL`;

/** Notes a refusal that an earlier order may outlive; the provider is asked about it at `nextCheckAt`. */
export async function doubtReturn(
  db: Queryable,
  id: string,
  { failure, now, nextCheckAt }: { failure: string; now: Date; nextCheckAt: Date },
): Promise<void> {
  await db.query(DOUBT, [id, failure, now, nextCheckAt]);
}

const NOTE_FAILURE = `
  UPDATE unexpected_payments SET failure = $2
  WHERE id = $1 AND status = 'RETURNING' AND doubted_at IS NULL`;

/** Why the money is not on its way back yet, for operators; null: it is. */
export async function noteReturnFailure(db: Queryable, id: string, failure: string | null): Promise<void> {
  await db.query(NOTE_FAILURE, [id, failure]);
}

const HASTEN = `
  UPDATE unexpected_payments SET next_check_at = now()
  WHERE end_to_end_id = ANY($1) AND status = 'RETURNING' AND attempts > 0 AND doubted_at IS NULL`;

/** The provider has news of these payments: the clock asks at once. */
export async function hastenReturns(db: Queryable, endToEndIds: readonly string[]): Promise<void> {
  await db.query(HASTEN, [endToEndIds]);
}

export function unexpectedPaymentOf(row: UnexpectedRow): UnexpectedPayment {
  return {
    id: row.id,
    endToEndId: row.end_to_end_id,
    environment: row.environment,
    merchantId: row.merchant_id,
    chargeId: row.charge_id,
    txid: row.txid,
    amount: row.amount_cents,
    paidAt: row.paid_at,
    cause: row.cause,
    status: row.status,
    failure: row.failure,
    attempts: row.attempts,
    returnedAt: row.returned_at,
    doubtedAt: row.doubted_at,
  };
}
