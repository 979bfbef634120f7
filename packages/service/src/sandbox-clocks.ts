import type { Queryable } from '@plataforma/data';
import type { MerchantSnapshot } from '@plataforma/events';
import { demandService, type Router, type Verifier, validate } from '@plataforma/http';
import { type Clock, type Environment, later, type Tenant } from '@plataforma/kernel';
import { z } from 'zod';

const RAISE = `
  INSERT INTO sandbox_clocks (merchant_id, ahead_ms)
  SELECT merchant_id, max(ahead_ms) FROM unnest($1::uuid[], $2::bigint[]) AS news (merchant_id, ahead_ms)
  GROUP BY merchant_id ORDER BY merchant_id
  ON CONFLICT (merchant_id) DO UPDATE SET ahead_ms = greatest(sandbox_clocks.ahead_ms, excluded.ahead_ms)
  RETURNING merchant_id AS "merchantId", ahead_ms AS "aheadMs"`;

/** How far a merchant's sandbox is ahead. */
export interface MovedClock {
  merchantId: string;
  aheadMs: number;
}

type ClockRow = MovedClock & { [column: string]: unknown };

/**
 * Moves clocks forward and never back, whatever comes late or twice, or from a gateway of an older release, which
 * knows of no clock. Answers those of the snapshots that were ever moved, as they are now.
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

/** By how many milliseconds a merchant's time is ahead of the real one. In production 0, and nothing is read. */
export async function aheadOf(db: Queryable, { merchantId, environment }: Tenant): Promise<number> {
  if (environment === 'production') return 0;
  const [row] = await db.query<{ ahead: number }>(AHEAD, [merchantId]);
  return row?.ahead ?? 0;
}

/**
 * The time of a merchant's environment: what is dated, and what falls due, is so by it. Leases, rests and limits are of the
 * real time.
 */
export async function merchantTime(db: Queryable, clock: Clock, tenant: Tenant): Promise<Date> {
  const ahead = await aheadOf(db, tenant);
  return later(clock(), ahead);
}

const AHEAD_OF_EACH = `
  SELECT merchant_id AS "merchantId", ahead_ms AS "aheadMs" FROM sandbox_clocks WHERE merchant_id = ANY ($1::uuid[])`;

/** The same of many at once, by what is shown of each. */
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
 * When an order ended, or was taken, by its merchant's time, which may be ahead of that of the work on it; `before`: as
 * it was known already.
 */
export async function datedEnd(
  db: Queryable,
  { merchantId, environment }: { merchantId: string | null; environment: Environment },
  [before, next]: readonly [Date | null, Date | null],
): Promise<Date | null> {
  if (!next || merchantId === null || next.getTime() === before?.getTime()) return next;
  return later(next, await aheadOf(db, { merchantId, environment }));
}

/** A locked order with how far its end is dated ahead. Nothing is read before it has ended. */
export async function withEndAhead<Order extends { endedAt: Date | null }>(
  db: Queryable,
  order: Order,
  tenant: Tenant,
): Promise<Order & { endAheadMs: number }> {
  return { ...order, endAheadMs: order.endedAt ? await aheadOf(db, tenant) : 0 };
}

/** A sandbox whose clock was moved: it is `now` there, and `at` by the real time, of which all rests are. */
interface MovedSandbox {
  merchantId: string;
  now: Date;
  at: Date;
}

/** What falls due by the clock of a sandbox, in a table that is looked through when its rows say by the real time. */
export interface ClockQueue {
  /** How much of a merchant's sandbox is due at `now`, its own time; a thousand and one: as much or more. */
  count(db: Queryable, merchantId: string, now: Date): Promise<number>;
  /**
   * Has it looked at from `at` on, a portion of it. Locked in one order, as two moves of one clock may arrive at once; all
   * of a large sandbox would hold up events of other merchants.
   */
  hasten(db: Queryable, moved: MovedSandbox): Promise<void>;
}

const MOST_COUNTED = 1_001;
const PORTION = 2_000;

const dueIn = (table: string, due: string) =>
  `FROM ${table} WHERE merchant_id = $1 AND environment = 'sandbox' AND ${due}`;

/** How many rows are due; `due`: in SQL, which rows of a sandbox are at $2. */
export function clockCount(table: string, due: string): ClockQueue['count'] {
  const count = `SELECT count(*) AS due FROM (SELECT ${dueIn(table, due)} LIMIT ${MOST_COUNTED}) AS counted`;
  return async (db, merchantId, now) =>
    (await db.query<{ due: number }>(count, [merchantId, now]))[0]?.due ?? 0;
}

/** The same of rows that have a time at which they are looked at. */
export function clockQueue(table: string, due: string): ClockQueue {
  const hasten = `
    UPDATE ${table} SET next_check_at = $3
    WHERE id IN (SELECT id ${dueIn(table, due)} AND next_check_at > $3 ORDER BY id LIMIT ${PORTION} FOR NO KEY UPDATE)
      AND next_check_at > $3`;
  return {
    count: clockCount(table, due),
    hasten: async (db, { merchantId, now, at }) => void (await db.query(hasten, [merchantId, now, at])),
  };
}

const asked = z.strictObject({ merchantId: z.uuid().lowercase() });

/** What a service has heard of a clock, and how much is due by it and not done. */
export const dueByClock = z.object({ aheadMs: z.int().nonnegative(), due: z.int().nonnegative() });

interface ClockRoute {
  verifier: Verifier;
  database: Queryable;
  clock: Clock;
  count: ClockQueue['count'];
  /** Where what is due has to be looked at before its time; the gateway asks until nothing is. */
  hasten?: ClockQueue['hasten'];
}

/** Tells the gateway whether what fell due by a moved clock has happened. */
export function sandboxClockRoute(
  router: Router,
  { verifier, database, clock, count, hasten }: ClockRoute,
): void {
  router.get('/internal/sandbox-clock', async (req, res) => {
    demandService(req, verifier, 'gateway');
    const { merchantId } = validate(asked, req.query);
    const aheadMs = await aheadOf(database, { merchantId, environment: 'sandbox' });
    const at = clock();
    const now = later(at, aheadMs);
    const due = await count(database, merchantId, now);
    if (due > 0) await hasten?.(database, { merchantId, now, at });
    res.json({ success: true, data: { aheadMs, due } });
  });
}
