import type { Queryable, Row } from '@plataforma/data';
import { TIMELINE_LIMIT } from '@plataforma/tables';
import type { Charge } from '../domain/charge.ts';
import { findAnyCharge } from './charges.ts';
import { REFUND_COLUMNS, type RefundRow } from './refunds.ts';
import { UNMATCHED_COLUMNS } from './sealed-returns.ts';
import type { UnmatchedRow } from './unmatched-returns.ts';

/** Finds a charge by its id, or by the id of one of its refunds, disputes or unmatched payments. */
const CHARGE_OF = `
  SELECT id FROM charges WHERE id = $1
  UNION ALL SELECT charge_id FROM refunds WHERE id = $1
  UNION ALL SELECT charge_id FROM disputes WHERE id = $1
  UNION ALL SELECT charge_id FROM unexpected_payments WHERE id = $1 AND charge_id IS NOT NULL
  LIMIT 1`;

const PAYMENT = `
  SELECT end_to_end_id AS "endToEndId", amount_cents AS amount, paid_at AS "paidAt",
  created_at AS "recordedAt"
  FROM payments WHERE charge_id = $1`;

const CANCELLED_AT = 'SELECT cancelled_at AS "cancelledAt" FROM charges WHERE id = $1';

interface RecordedPayment {
  endToEndId: string;
  amount: number;
  paidAt: Date;
  recordedAt: Date;
}

const newestOf = (table: string, columns: readonly string[]) => `
  SELECT ${columns.join(', ')} FROM ${table} WHERE charge_id = $1 ORDER BY created_at DESC LIMIT $2`;
const REFUNDS = newestOf('refunds', REFUND_COLUMNS);
const UNMATCHED = newestOf('unexpected_payments', [...UNMATCHED_COLUMNS, 'created_at AS "recordedAt"']);

type UnmatchedRecord = UnmatchedRow & { recordedAt: Date };

/**
 * Reads all records of a charge except its disputes, newest first. Returns null when the id belongs to no
 * charge.
 */
export async function readChargeRecords(db: Queryable, id: string) {
  const [found] = await db.query<{ id: string }>(CHARGE_OF, [id]);
  const charge = found ? await findAnyCharge(db, found.id) : null;
  if (!charge) return null;
  const newest = [charge.id, TIMELINE_LIMIT];
  const [payments, ends, refunds, unmatched] = await Promise.all([
    db.query<RecordedPayment & Row>(PAYMENT, [charge.id]),
    db.query<{ cancelledAt: Date | null }>(CANCELLED_AT, [charge.id]),
    db.queryUnprepared<RefundRow>(REFUNDS, newest),
    db.queryUnprepared<UnmatchedRecord>(UNMATCHED, newest),
  ]);
  return {
    charge,
    progress: progressOf(charge),
    payment: payments[0] ?? null,
    cancelledAt: ends[0]?.cancelledAt ?? null,
    refunds,
    unmatched,
  };
}

function progressOf({ status, card, attempts, dueAt }: Charge) {
  const isWatched = card?.isWatched ?? false;
  return { checks: attempts, nextCheckAt: status === 'PENDING' || isWatched ? dueAt : null, isWatched };
}
