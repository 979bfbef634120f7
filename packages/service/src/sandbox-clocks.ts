import type { Queryable } from '@plataforma/data';
import type { MerchantSnapshot } from '@plataforma/events';
import { type Router, requireService, type Verifier, validate } from '@plataforma/http';
import { type Clock, type Environment, later, type Tenant } from '@plataforma/kernel';
import { z } from 'zod';

const RAISE = `
  INSERT INTO sandbox_clocks (merchant_id, ahead_ms)
  SELECT merchant_id, max(ahead_ms) FROM unnest($1::uuid[], $2::bigint[]) AS news (merchant_id, ahead_ms)
  GROUP BY merchant_id ORDER BY merchant_id
  ON CONFLICT (merchant_id) DO UPDATE SET ahead_ms = greatest(sandbox_clocks.ahead_ms, excluded.ahead_ms)
  RETURNING merchant_id AS "merchantId", ahead_ms AS "aheadMs"`;

/** The sandbox clock of a merchant, and the milliseconds by which it is ahead of real time. */
export interface MovedClock {
  merchantId: string;
  aheadMs: number;
}

type ClockRow = MovedClock & { [column: string]: unknown };

/**
 * Moves clocks forward and never back. Late or repeated snapshots change nothing, and snapshots of an older
 * gateway contain no clock. Returns the present clocks of the merchants whose snapshot has a moved clock.
 */
export async function raiseClocks(
  db: Queryable,
  snapshots: readonly Pick<MerchantSnapshot, 'id' | 'sandboxAheadMs'>[],
): Promise<MovedClock[]> {
  const moved = snapshots.filter(({ sandboxAheadMs }) => sandboxAheadMs > 0);
  if (moved.length === 0) return [];
  const ids = moved.map(({ id }) => id);
  return db.query<ClockRow>(RAISE, [ids, moved.map(({ sandboxAheadMs }) => sandboxAheadMs)]);
}

const AHEAD = 'SELECT ahead_ms AS ahead FROM sandbox_clocks WHERE merchant_id = $1';

/**
 * Returns the milliseconds by which a merchant's time is ahead of real time. For production it returns 0
 * without a query.
 */
export async function aheadOf(db: Queryable, { merchantId, environment }: Tenant): Promise<number> {
  if (environment === 'production') return 0;
  const [row] = await db.query<{ ahead: number }>(AHEAD, [merchantId]);
  return row?.ahead ?? 0;
}

/**
 * Returns the current time for a merchant's dates and due times. In a sandbox it is the time of the sandbox's
 * clock. Leases, backoffs and limits use real time.
 */
export async function merchantTime(db: Queryable, clock: Clock, tenant: Tenant): Promise<Date> {
  const ahead = await aheadOf(db, tenant);
  return later(clock(), ahead);
}

const AHEAD_OF_EACH = `
  SELECT merchant_id AS "merchantId", ahead_ms AS "aheadMs" FROM sandbox_clocks
  WHERE merchant_id = ANY ($1::uuid[])`;

/** Reads the clocks of many merchants in one query. Returns a function that returns a tenant's `aheadMs`. */
export async function aheadOfEach(
  db: Queryable,
  tenants: readonly Tenant[],
): Promise<(tenant: Tenant) => number> {
  const own = tenants.filter(({ environment }) => environment === 'sandbox');
  const ids = [...new Set(own.map(({ merchantId }) => merchantId))];
  const rows = ids.length === 0 ? [] : await db.query<ClockRow>(AHEAD_OF_EACH, [ids]);
  const aheads = new Map(rows.map(({ merchantId, aheadMs }) => [merchantId, aheadMs]));
  return ({ merchantId, environment }) => (environment === 'sandbox' ? (aheads.get(merchantId) ?? 0) : 0);
}

/**
 * Converts `next`, the new time of an order's end or acceptance, to the merchant's clock. Returns `next`
 * unchanged if the order has no merchant, or if `next` equals the stored time `before`, which is already
 * converted.
 */
export async function endByMerchantClock(
  db: Queryable,
  { merchantId, environment }: { merchantId: string | null; environment: Environment },
  [before, next]: readonly [Date | null, Date | null],
): Promise<Date | null> {
  if (!next || merchantId === null || next.getTime() === before?.getTime()) return next;
  return later(next, await aheadOf(db, { merchantId, environment }));
}

/**
 * Returns the order with `endAheadMs`: the milliseconds by which the merchant's clock is ahead of real time.
 * For an order that has not ended, `endAheadMs` is 0.
 */
export async function withClockOffset<Order extends { endedAt: Date | null }>(
  db: Queryable,
  order: Order,
  tenant: Tenant,
): Promise<Order & { endAheadMs: number }> {
  return { ...order, endAheadMs: order.endedAt ? await aheadOf(db, tenant) : 0 };
}

/** A sandbox whose clock was moved. `now` is the time of the sandbox, and `at` is real time. */
interface MovedSandbox {
  merchantId: string;
  now: Date;
  at: Date;
}

/**
 * A table with due times in real time, whose sandbox rows become due by the sandbox's clock. When a merchant
 * moves the clock, `makeDue` therefore changes the due times.
 */
export interface ClockQueue {
  /**
   * Counts the rows of a merchant's sandbox that are due at `now`, the time of the sandbox. The count is at
   * most 1,001.
   */
  count(db: Queryable, merchantId: string, now: Date): Promise<number>;
  /**
   * Sets the due time of rows that are due by the sandbox's clock to `at`, the real time. Each call changes a
   * limited number of rows, so that events of other merchants do not wait. Locks rows in a fixed order,
   * because two moves of one clock may run at the same time.
   */
  makeDue(db: Queryable, moved: MovedSandbox): Promise<void>;
}

const MOST_COUNTED = 1_001;
const PORTION = 2_000;

const dueIn = (table: string, due: string) =>
  `FROM ${table} WHERE merchant_id = $1 AND environment = 'sandbox' AND ${due}`;

/** Returns a function that counts due rows. `due` is the SQL condition that a row is due at the time $2. */
export function clockCount(table: string, due: string): ClockQueue['count'] {
  const count = `SELECT count(*) AS due FROM (SELECT ${dueIn(table, due)} LIMIT ${MOST_COUNTED}) AS counted`;
  return async (db, merchantId, now) =>
    (await db.query<{ due: number }>(count, [merchantId, now]))[0]?.due ?? 0;
}

/**
 * Returns functions that count the rows due by a sandbox's clock, and make these rows due in real time. The
 * table must have the column `next_check_at`.
 */
export function clockQueue(table: string, due: string): ClockQueue {
  const makeDue = `
    UPDATE ${table} SET next_check_at = $3
    WHERE id IN (SELECT id ${dueIn(table, due)} AND next_check_at > $3 ORDER BY id
    LIMIT ${PORTION} FOR NO KEY UPDATE)
      AND next_check_at > $3`;
  return {
    count: clockCount(table, due),
    makeDue: async (db, { merchantId, now, at }) => void (await db.query(makeDue, [merchantId, now, at])),
  };
}

const dueQuery = z.strictObject({ merchantId: z.uuid().lowercase() });

/** The sandbox clock as a service has stored it, and the number of rows that are due in that service. */
export const dueByClock = z.object({ aheadMs: z.int().nonnegative(), due: z.int().nonnegative() });

interface ClockRoute {
  verifier: Verifier;
  database: Queryable;
  clock: Clock;
  count: ClockQueue['count'];
  /**
   * Makes rows due in real time if they are due by the sandbox's clock. The gateway repeats its request until
   * no row is due.
   */
  makeDue?: ClockQueue['makeDue'];
}

/** Serves the gateway's check whether the rows that a moved sandbox clock made due are processed. */
export function sandboxClockRoute(
  router: Router,
  { verifier, database, clock, count, makeDue }: ClockRoute,
): void {
  router.get('/internal/sandbox-clock', async (req, res) => {
    requireService(req, verifier, 'gateway');
    const { merchantId } = validate(dueQuery, req.query);
    const aheadMs = await aheadOf(database, { merchantId, environment: 'sandbox' });
    const at = clock();
    const now = later(at, aheadMs);
    const due = await count(database, merchantId, now);
    if (due > 0) await makeDue?.(database, { merchantId, now, at });
    res.json({ success: true, data: { aheadMs, due } });
  });
}
