import type { Queryable, Transaction } from '@plataforma/data';
import { type BankDay, bankDayOf, type Cents, type Tenant } from '@plataforma/kernel';
import type { DayTotals } from '../domain/day-limits.ts';
import type { Withdrawal } from '../domain/withdrawal.ts';

const REQUESTED = `
  SELECT coalesce(sum(amount_cents), 0)::bigint AS requested FROM withdrawals
  WHERE merchant_id = $1 AND environment = $2 AND created_at >= $3 AND created_at < $4
    AND status NOT IN ('REFUSED', 'ABANDONED', 'REJECTED', 'FAILED')`;

/** Sums a merchant's withdrawals of a day in cents. Excludes withdrawals that ended without a payment. */
export async function sumRequestedOn(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { from, until }: BankDay,
): Promise<Cents> {
  const [row] = await db.query<{ requested: number }>(REQUESTED, [merchantId, environment, from, until]);
  return row?.requested ?? 0;
}

const UNAPPROVED = 'approvals_needed = 0 AND first_approver IS NULL';
/**
 * Groups by new payees, because a count of distinct keys would sort all withdrawals of the day. Excludes the
 * withdrawal `$5`. Its payee `$6` does not count as a new payee.
 */
const DAY_TOTALS = `
  SELECT coalesce(sum(requested), 0)::bigint AS requested, coalesce(sum(unapproved), 0)::bigint AS unapproved,
    count(new_payee) FILTER (WHERE new_payee IS DISTINCT FROM $6) AS "newPayees"
  FROM (
    SELECT sum(amount_cents) AS requested, sum(amount_cents) FILTER (WHERE ${UNAPPROVED}) AS unapproved,
      CASE WHEN has_new_payee AND ${UNAPPROVED} THEN pix_key END AS new_payee
    FROM withdrawals
    WHERE merchant_id = $1 AND environment = $2 AND created_at >= $3 AND created_at < $4 AND id <> $5
      AND status NOT IN ('REFUSED', 'ABANDONED', 'REJECTED', 'FAILED')
    GROUP BY 3) AS by_payee`;

type Dated = Pick<Withdrawal, 'id' | 'merchantId' | 'environment' | 'createdAt' | 'payee'>;

/** Sums the merchant's other withdrawals on the day of the given withdrawal. */
export async function sumDayOf(
  db: Queryable,
  { id, merchantId, environment, createdAt, payee }: Dated,
): Promise<DayTotals> {
  const { from, until } = bankDayOf(createdAt);
  const pixKey = payee.type === 'PIX' ? payee.pixKey : null;
  const [row] = await db.query<DayTotals>(DAY_TOTALS, [merchantId, environment, from, until, id, pixKey]);
  if (!row) throw new Error('a sum has no row');
  return row;
}

/** The number 11 distinguishes these locks from other advisory locks of this database. */
const LOCK_DAY = 'SELECT pg_advisory_xact_lock(11, hashtext($1))';

/**
 * Takes a lock for the merchant and sums the other withdrawals of the withdrawal's day. The merchant's other
 * creations and automatic approvals wait until `tx` ends. A transaction takes this lock after all row locks.
 */
export async function lockCreationsAndSumDay(tx: Transaction, withdrawal: Withdrawal): Promise<DayTotals> {
  await tx.query(LOCK_DAY, [`${withdrawal.merchantId} ${withdrawal.environment}`]);
  return sumDayOf(tx, withdrawal);
}
