import { namesOf, type Queryable, type Transaction } from '@plataforma/data';
import {
  type BankDay,
  bankDayOf,
  type Cents,
  type Clock,
  type Tenant,
  withNextSequence,
} from '@plataforma/kernel';
import { aheadOf, clockQueue } from '@plataforma/service';
import { announce, type StoppedOrders } from '@plataforma/tables';
import { createQueue, delaySql } from '@plataforma/work';
import { announcementOf } from '../domain/announcement.ts';
import { backoff, type Payout, payoutOf } from '../domain/payout.ts';
import {
  afterDebit,
  noSuchWithdrawal,
  released,
  startedAtBy,
  type Withdrawal,
} from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { valuesOf, WITHDRAWAL_COLUMNS, type WithdrawalRow, withdrawalOf } from './withdrawal-rows.ts';

const COLUMNS = WITHDRAWAL_COLUMNS.join(', ');
const NAMES = namesOf(WITHDRAWAL_COLUMNS);

const INSERT = `
  INSERT INTO withdrawals (${NAMES.join(', ')}) VALUES (${NAMES.map((_, index) => `$${index + 1}`).join(', ')})
  ON CONFLICT (merchant_id, environment, external_id) WHERE status NOT IN ('REFUSED', 'ABANDONED') DO NOTHING
  RETURNING id`;

/** Inserts a withdrawal. Returns false if its externalId is used. */
export async function insertWithdrawal(tx: Transaction, withdrawal: Withdrawal): Promise<boolean> {
  return (await tx.query(INSERT, valuesOf(withdrawal))).length === 1;
}

const CHANGING = NAMES.slice(NAMES.indexOf('first_approver'));
const SAVE = `
  UPDATE withdrawals SET status = $2, ${CHANGING.map((name, index) => `${name} = $${index + 3}`).join(', ')}
  WHERE id = $1`;

export async function saveWithdrawal(tx: Transaction, withdrawal: Withdrawal): Promise<void> {
  const changing = valuesOf(withdrawal).slice(-CHANGING.length);
  await tx.query(SAVE, [withdrawal.id, withdrawal.status, ...changing]);
}

/**
 * Saves a locked withdrawal that started or ended, and announces it. The ledger returns the money of an
 * unpaid one.
 */
export async function saveAndAnnounce(tx: Transaction, changed: Withdrawal): Promise<Withdrawal> {
  const withdrawal = withNextSequence(changed);
  await saveWithdrawal(tx, withdrawal);
  // Only the event of the start has this time, by the merchant's clock.
  const aheadMs = withdrawal.status === 'PROCESSING' ? await aheadOf(tx, withdrawal) : 0;
  await announce(tx, announcementOf({ ...withdrawal, startedAt: startedAtBy(aheadMs, withdrawal) }));
  return withdrawal;
}

const FIND_BY_EXTERNAL_ID = `
  SELECT ${COLUMNS} FROM withdrawals
  WHERE merchant_id = $1 AND environment = $2 AND external_id = $3 AND status NOT IN ('REFUSED',
  'ABANDONED')`;

export async function findByExternalId(
  db: Queryable,
  { merchantId, environment }: Tenant,
  externalId: string,
): Promise<Withdrawal | null> {
  return first(await db.query<WithdrawalRow>(FIND_BY_EXTERNAL_ID, [merchantId, environment, externalId]));
}

const FIND = `
  SELECT ${COLUMNS} FROM withdrawals
  WHERE id = $1 AND merchant_id = $2 AND environment = $3
    AND status NOT IN ('DEBITING', 'REFUSED', 'ABANDONED')`;

/** Finds a withdrawal of this merchant; null also for a status that the API does not show. */
export async function findWithdrawal(
  db: Queryable,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<Withdrawal | null> {
  return first(await db.query<WithdrawalRow>(FIND, [id, merchantId, environment]));
}

const FIND_ANY = `SELECT ${COLUMNS} FROM withdrawals WHERE id = $1`;

export async function findAnyWithdrawal(db: Queryable, id: string): Promise<Withdrawal | null> {
  return first(await db.query<WithdrawalRow>(FIND_ANY, [id]));
}

const LOCK = `${FIND_ANY} FOR NO KEY UPDATE`;

export async function lockWithdrawal(tx: Transaction, id: string): Promise<Withdrawal> {
  const withdrawal = first(await tx.query<WithdrawalRow>(LOCK, [id]));
  if (!withdrawal) throw noSuchWithdrawal();
  return withdrawal;
}

export interface RecordDebit {
  clock: Clock;
  liveUpdates: { created(tx: Transaction, withdrawal: Withdrawal): void };
}

/** Locks a new withdrawal and records the ledger's answer as PENDING or REFUSED. Any later status stays. */
export async function recordDebit(
  tx: Transaction,
  { clock, liveUpdates }: RecordDebit,
  id: string,
  isDebited: boolean,
): Promise<Withdrawal> {
  failPoint('debit.answered');
  const locked = await lockWithdrawal(tx, id);
  if (locked.status !== 'DEBITING') return locked;
  const aheadMs = await aheadOf(tx, locked);
  const answered = afterDebit(locked, isDebited, { now: clock(), aheadMs });
  await saveWithdrawal(tx, answered);
  if (isDebited) liveUpdates.created(tx, answered);
  return answered;
}

const RELEASE = `
  UPDATE withdrawals SET next_check_at = $2, lease_token = NULL, lease_until = NULL
  WHERE id = $1 AND status = 'DEBITING' RETURNING id`;

/** Releases the lease of a creation. Returns false if its end is recorded, perhaps by a commit just now. */
export async function releaseCreation(db: Queryable, id: string, at: Date): Promise<boolean> {
  return (await db.query(RELEASE, [id, at])).length === 1;
}

const due = { table: 'withdrawals', columns: WITHDRAWAL_COLUMNS, due: 'next_check_at', attempts: 'checks' };
const lease = { token: 'lease_token', until: 'lease_until' };

/** Creations, leased by requests, so that one request at a time calls the ledger. */
export const creations = createQueue<WithdrawalRow>({ ...due, open: "status = 'DEBITING'", lease });

/** Takes no lease, because work without a provider order is safe to repeat and must not delay requests. */
export const dueWithdrawals = createQueue<WithdrawalRow>({
  ...due,
  open: "(status IN ('DEBITING', 'PENDING') OR status = 'APPROVED' AND method = 'TED')",
});

export const duePayouts = createQueue<WithdrawalRow>({
  ...due,
  open: "method = 'PIX' AND status IN ('APPROVED', 'PROCESSING', 'COMPLETED', 'FAILED')",
  lease,
});

/**
 * Locks the row of a leased payout. A replica of the previous release writes no lease token, but counts
 * `checks`, which a start resets to 0. A changed count ends the lease here, so that only one replica handles
 * a refusal.
 */
export async function lockPayout(tx: Transaction, claimed: Payout): Promise<Payout> {
  const locked = payoutOf(await lockWithdrawal(tx, claimed.id));
  const hasStarted = claimed.status === 'STORED' && locked.status !== 'STORED';
  const isCounted = locked.attempts === (hasStarted ? 0 : claimed.attempts);
  return locked.leaseToken === claimed.leaseToken && !isCounted ? { ...locked, ...released } : locked;
}

const PUT_OFF = `
  UPDATE withdrawals SET next_check_at = $3::timestamptz + ${delaySql(backoff, 'checks')}
  WHERE id = $1 AND next_check_at = $2`;

/** Delays a withdrawal whose work failed, unless its due time has changed. */
export async function putOff(
  db: Queryable,
  { id, dueAt }: Pick<Withdrawal, 'id' | 'dueAt'>,
  now: Date,
): Promise<void> {
  await db.query(PUT_OFF, [id, dueAt, now]);
}

/** Locks the rows in one order, so that two callbacks about the same payouts cannot deadlock. */
const MAKE_DUE = `
  UPDATE withdrawals SET next_check_at = $2
  WHERE id IN (
    SELECT id FROM withdrawals
    WHERE id = ANY ($1::uuid[]) AND method = 'PIX' AND status IN ('PROCESSING', 'COMPLETED', 'FAILED')
    ORDER BY id FOR NO KEY UPDATE)
  RETURNING id`;

/** Makes these payouts due now. Returns the number of those that were ordered. */
export async function makePayoutsDue(db: Queryable, ids: readonly string[], now: Date): Promise<number> {
  return (await db.query(MAKE_DUE, [ids, now])).length;
}

const REQUESTED = `
  SELECT coalesce(sum(amount_cents), 0)::bigint AS requested FROM withdrawals
  WHERE merchant_id = $1 AND environment = $2 AND created_at >= $3 AND created_at < $4
    AND status NOT IN ('REFUSED', 'ABANDONED', 'REJECTED', 'FAILED')`;

/** Sums a merchant's withdrawals of a day in cents, without those that ended unpaid. */
export async function sumRequestedOn(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { from, until }: BankDay,
): Promise<Cents> {
  const [row] = await db.query<{ requested: number }>(REQUESTED, [merchantId, environment, from, until]);
  return row?.requested ?? 0;
}

/** The first number separates these locks from other advisory locks of this database. */
const LOCK_DAY = 'SELECT pg_advisory_xact_lock(11, hashtext($1))';

/**
 * Sums the withdrawals of the day in cents, including this one. Other creations of its merchant wait for
 * `tx`.
 */
export async function lockDay(tx: Transaction, withdrawal: Withdrawal): Promise<Cents> {
  await tx.query(LOCK_DAY, [`${withdrawal.merchantId} ${withdrawal.environment}`]);
  return sumRequestedOn(tx, withdrawal, bankDayOf(withdrawal.createdAt));
}

function first(rows: readonly WithdrawalRow[]): Withdrawal | null {
  const [row] = rows;
  return row ? withdrawalOf(row) : null;
}

/** Describes the payouts that a stop covers. The condition equals `mayBeSentSince`. */
export const stoppedPayouts: StoppedOrders = {
  what: 'payouts',
  table: 'withdrawals',
  provider: `CASE item.method WHEN 'PIX' THEN 'payout' END`,
  waits: `
    item.status = 'APPROVED'
    OR item.status = 'PROCESSING' AND item.method = 'PIX' AND item.accepted_at IS NULL
    AND item.doubted_at IS NULL`,
  due: 'next_check_at',
};

/** Withdrawals whose cool-down is over by sandbox time and which wait for no approval. */
export const payableBySandboxTime = clockQueue(
  'withdrawals',
  "status = 'PENDING' AND payable_from <= $2 AND next_check_at IS NOT NULL",
);
