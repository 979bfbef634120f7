import type { Queryable, Transaction } from '@plataforma/chassis';
import type { Environment } from '@plataforma/kernel';
import { createQueue } from '@plataforma/work';
import type { ChargeReturn, Refund, RefundStatus } from '../domain/refund.ts';
import { EVER_MORE_RARELY } from './ever-more-rarely.ts';

export const REFUND_COLUMNS = [
  'id',
  'charge_id',
  'merchant_id',
  'environment',
  'amount_cents',
  'reason',
  'status',
  'failure',
  'created_at',
  'accepted_at',
  'ended_at',
  'next_check_at',
  'doubted_at',
] as const;
const COLUMNS = REFUND_COLUMNS.join(', ');

export interface RefundRow {
  id: string;
  charge_id: string;
  merchant_id: string;
  environment: Environment;
  amount_cents: number;
  reason: string | null;
  status: RefundStatus;
  failure: string | null;
  created_at: Date;
  accepted_at: Date | null;
  ended_at: Date | null;
  next_check_at: Date;
  doubted_at: Date | null;
  [column: string]: unknown;
}

const INSERT = `
  INSERT INTO refunds
    (id, charge_id, merchant_id, environment, amount_cents, reason, status, created_at, next_check_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

export async function insertRefund(tx: Transaction, refund: Refund): Promise<void> {
  const { id, chargeId, merchantId, environment, amount, reason, status, createdAt, nextCheckAt } = refund;
  const values = [id, chargeId, merchantId, environment, amount, reason, status, createdAt, nextCheckAt];
  await tx.query(INSERT, values);
}

const FIND_STANDING = `SELECT ${COLUMNS} FROM refunds WHERE charge_id = $1 AND status <> 'REFUSED'`;

/** The one refund of a charge that is under way or done; settled while the charge is locked. */
export async function findStandingRefund(tx: Queryable, chargeId: string): Promise<Refund | null> {
  const [row] = await tx.query<RefundRow>(FIND_STANDING, [chargeId]);
  return row ? refundOf(row) : null;
}

const LOCK = `SELECT ${COLUMNS} FROM refunds WHERE id = $1 FOR UPDATE`;

export async function lockRefund(tx: Transaction, id: string): Promise<Refund> {
  const [row] = await tx.query<RefundRow>(LOCK, [id]);
  if (!row) throw new Error('a refund vanished');
  return refundOf(row);
}

const SAVE = `
  UPDATE refunds
  SET status = $2, failure = $3, accepted_at = $4, next_check_at = $5, doubted_at = $6, ended_at = $7
  WHERE id = $1`;

export async function saveRefund(tx: Transaction, refund: Refund): Promise<void> {
  const { id, status, failure, acceptedAt, nextCheckAt, doubtedAt, endedAt } = refund;
  await tx.query(SAVE, [id, status, failure, acceptedAt, nextCheckAt, doubtedAt, endedAt]);
}

const NOTE_FAILURE = `
  UPDATE refunds SET failure = $2
  WHERE id = $1 AND status IN ('REQUESTED', 'DEBITED', 'ACCEPTED') AND doubted_at IS NULL`;

/** Why a refund does not get on, for operators; one that is at its end keeps what was said then. */
export async function noteRefundFailure(db: Queryable, id: string, failure: string): Promise<void> {
  await db.query(NOTE_FAILURE, [id, failure]);
}

/** Refunds that are not at their end. */
export const dueRefunds = createQueue<RefundRow>({
  table: 'refunds',
  columns: REFUND_COLUMNS,
  due: 'next_check_at',
  attempts: 'attempts',
  open: "status IN ('REQUESTED', 'DEBITED', 'ACCEPTED')",
  rest: EVER_MORE_RARELY,
});

const RETURNS_OF = `
  SELECT * FROM (
    SELECT id, amount_cents, reason, status, failure, created_at, coalesce(ended_at, accepted_at) AS ended_at,
      'MERCHANT' AS origin
    FROM refunds WHERE charge_id = $1
    UNION ALL
    SELECT id, amount_cents, 'dispute', 'DONE', NULL, created_at, resolved_at, 'DISPUTE'
    FROM disputes WHERE charge_id = $1 AND status = 'RESOLVED_CUSTOMER'
    ORDER BY created_at DESC, id DESC LIMIT 100) AS newest
  ORDER BY created_at, id`;

interface ReturnRow
  extends Pick<RefundRow, 'id' | 'amount_cents' | 'reason' | 'status' | 'failure' | 'created_at'> {
  ended_at: Date | null;
  origin: 'MERCHANT' | 'DISPUTE';
  [column: string]: unknown;
}

/** What went back of a charge or was to, the refunds and the lost disputes; the newest hundred, oldest first. */
export async function returnsOf(db: Queryable, chargeId: string): Promise<ChargeReturn[]> {
  const rows = await db.query<ReturnRow>(RETURNS_OF, [chargeId]);
  return rows.map(({ id, amount_cents: amount, reason, status, failure, created_at, ended_at, origin }) => ({
    ...{ id, amount, reason, status, failure, origin, createdAt: created_at, endedAt: ended_at },
  }));
}

const HASTEN = `
  UPDATE refunds SET next_check_at = now()
  WHERE (status = 'ACCEPTED' OR status = 'DEBITED' AND failure IS NOT NULL AND doubted_at IS NULL)
    AND charge_id IN (SELECT id FROM charges WHERE end_to_end_id = ANY($1))`;

/** The provider has news of these payments: the clock asks at once how refunds that nobody is at have ended. */
export async function hastenRefunds(db: Queryable, endToEndIds: readonly string[]): Promise<void> {
  await db.query(HASTEN, [endToEndIds]);
}

const HASTEN_OF_CHARGE = `UPDATE refunds SET next_check_at = now() WHERE status = 'ACCEPTED' AND charge_id = $1`;

export async function hastenCardRefund(db: Queryable, chargeId: string): Promise<void> {
  await db.query(HASTEN_OF_CHARGE, [chargeId]);
}

export function refundOf(row: RefundRow): Refund {
  return {
    id: row.id,
    chargeId: row.charge_id,
    merchantId: row.merchant_id,
    environment: row.environment,
    amount: row.amount_cents,
    reason: row.reason,
    status: row.status,
    failure: row.failure,
    createdAt: row.created_at,
    acceptedAt: row.accepted_at,
    endedAt: row.ended_at,
    nextCheckAt: row.next_check_at,
    doubtedAt: row.doubted_at,
  };
}
