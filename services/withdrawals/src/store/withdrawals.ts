import { namesOf, type Queryable, type Transaction } from '@plataforma/data';
import { type Clock, type Tenant, withNextSequence } from '@plataforma/kernel';
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
import {
  requireSeal,
  valuesOf,
  WITHDRAWAL_COLUMNS,
  type WithdrawalRow,
  withdrawalOf,
} from './withdrawal-rows.ts';

const COLUMNS = WITHDRAWAL_COLUMNS.join(', ');
const NAMES = namesOf(WITHDRAWAL_COLUMNS);
const VALUES = NAMES.map((_, index) => `$${index + 1}`);

const INSERT = `
  INSERT INTO withdrawals (${NAMES.join(', ')}) VALUES (${VALUES.join(', ')})
  ON CONFLICT (merchant_id, environment, external_id) WHERE status NOT IN ('REFUSED', 'ABANDONED') DO NOTHING
  RETURNING id`;

/** Inserts a withdrawal. Returns false if the merchant has already used its externalId. */
export async function insertWithdrawal(tx: Transaction, withdrawal: Withdrawal): Promise<boolean> {
  return (await tx.query(INSERT, valuesOf(tx, withdrawal))).length === 1;
}

const CHANGING = NAMES.slice(NAMES.indexOf('approvals_needed'));
const SAVE = `
  UPDATE withdrawals SET status = $2, ${CHANGING.map((name, index) => `${name} = $${index + 3}`).join(', ')}
  WHERE id = $1`;

export async function saveWithdrawal(tx: Transaction, withdrawal: Withdrawal): Promise<void> {
  const changing = valuesOf(tx, withdrawal).slice(-CHANGING.length);
  await tx.query(SAVE, [withdrawal.id, withdrawal.status, ...changing]);
}

/**
 * Saves a withdrawal that started or ended, and publishes its event. The caller must hold the row lock. The
 * ledger returns the money of an unpaid withdrawal when it receives the event.
 */
export async function saveAndAnnounce(tx: Transaction, changed: Withdrawal): Promise<Withdrawal> {
  const withdrawal = withNextSequence(changed);
  await saveWithdrawal(tx, withdrawal);
  // Only the event of a started withdrawal contains `startedAt`, as a time of the merchant's clock.
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

/**
 * Finds a merchant's withdrawal. Returns null if it does not exist, or if it has a status that the API does
 * not show.
 */
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

/** Locks a withdrawal. Throws NOT_FOUND, and INVALID_STATE if the row has no valid seal. */
export async function lockWithdrawal(tx: Transaction, id: string): Promise<Withdrawal> {
  const withdrawal = first(await tx.query<WithdrawalRow>(LOCK, [id]));
  if (!withdrawal) throw noSuchWithdrawal();
  requireSeal(tx, withdrawal);
  return withdrawal;
}

export interface RecordDebit {
  clock: Clock;
  liveUpdates: { created(tx: Transaction, withdrawal: Withdrawal): void };
}

/**
 * Locks the withdrawal's row and records the ledger's answer as PENDING or REFUSED. Changes nothing if an
 * answer is already recorded.
 */
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

/**
 * Releases the lease of a creation. Returns false if the withdrawal is no longer DEBITING. For example, an
 * earlier COMMIT whose answer was lost may have recorded the debit.
 */
export async function releaseCreation(db: Queryable, id: string, at: Date): Promise<boolean> {
  return (await db.query(RELEASE, [id, at])).length === 1;
}

const due = { table: 'withdrawals', columns: WITHDRAWAL_COLUMNS, due: 'next_check_at', attempts: 'checks' };
const lease = { token: 'lease_token', until: 'lease_until' };

/**
 * The queue of unfinished creations. A request takes a lease, so that only one request at a time calls the
 * ledger.
 */
export const creations = createQueue<WithdrawalRow>({ ...due, open: "status = 'DEBITING'", lease });

/**
 * The scheduler's queue of creations, approvals and TEDs. It takes no lease tokens, because this work is safe
 * to repeat and a lease would delay requests.
 */
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
 * Locks the row of a leased payout. A replica of the previous release changes `checks`, but not the lease
 * token. If `checks` has changed, the lease therefore counts as ended, so that only one replica handles a
 * refusal.
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

/** Delays the next attempt after a failure. Does nothing if the due time has changed in the meantime. */
export async function putOff(
  db: Queryable,
  { id, dueAt }: Pick<Withdrawal, 'id' | 'dueAt'>,
  now: Date,
): Promise<void> {
  await db.query(PUT_OFF, [id, dueAt, now]);
}

/** Locks the rows in the order of their ids, so that two callbacks for the same payouts cannot deadlock. */
const MAKE_DUE = `
  UPDATE withdrawals SET next_check_at = $2
  WHERE id IN (
    SELECT id FROM withdrawals
    WHERE id = ANY ($1::uuid[]) AND method = 'PIX' AND status IN ('PROCESSING', 'COMPLETED', 'FAILED')
    ORDER BY id FOR NO KEY UPDATE)
  RETURNING id`;

/**
 * Makes these payouts due now, except those that were never sent to the provider. Returns the number of
 * payouts that this call made due.
 */
export async function makePayoutsDue(db: Queryable, ids: readonly string[], now: Date): Promise<number> {
  return (await db.query(MAKE_DUE, [ids, now])).length;
}

function first(rows: readonly WithdrawalRow[]): Withdrawal | null {
  const [row] = rows;
  return row ? withdrawalOf(row) : null;
}

/**
 * Describes the payouts that operators can stop. The SQL condition `waits` must select the same withdrawals
 * as the function `mayBeSentSince`.
 */
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

/**
 * The pending withdrawals that need no further approval and whose cool-down has ended by the merchant's
 * sandbox clock.
 */
export const payableBySandboxTime = clockQueue(
  'withdrawals',
  "status = 'PENDING' AND payable_from <= $2 AND next_check_at IS NOT NULL",
);
