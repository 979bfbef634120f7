import type { StatementQuery } from '@plataforma/contracts';
import {
  batchSizes,
  brokenCursor,
  cursorOf,
  type Position,
  positionOf,
  type Queryable,
} from '@plataforma/data';
import { type Cents, isUuid, type Tenant } from '@plataforma/kernel';
import { type MovementKind, movementKinds, movementOf } from '../domain/movement.ts';
import type { WalletTransaction } from '../domain/statement.ts';
import { availableBalance } from '../domain/wallet.ts';
import type { Period } from './counters.ts';
import { withNames } from './row-names.ts';
import { findWalletBefore } from './statement-balance.ts';
import type { FoundPeriod, StatementPage } from './statement-period.ts';
import type { Order } from './wallet-rows.ts';

/**
 * The start (inclusive) and the end (exclusive) of the rows. They are texts, because a Date would lose the
 * microseconds.
 */
interface Edges {
  from: string;
  until: string;
}

/**
 * The period ends at the latest with the wallet's last change. Later entries get later times, so the rows
 * within this period never change again.
 */
const EDGES = `
  SELECT $3::timestamptz::text AS "from", least($4::timestamptz, coalesce(
    (SELECT changed_at + interval '1 microsecond' FROM wallets WHERE merchant_id = $1 AND environment = $2),
    '-infinity'))::text AS until`;

async function findEdges(db: Queryable, tenant: Tenant, period: Period): Promise<Edges> {
  const { startDate = '-infinity', endDate = 'infinity' } = period;
  const values = [tenant.merchantId, tenant.environment, startDate, endDate];
  const [edges] = await db.queryUnprepared<Edges>(EDGES, values);
  if (!edges) throw new Error('a query for one row returned none');
  return edges;
}

/**
 * Reads the lines of each entry separately (OFFSET 0), because PostgreSQL could otherwise plan a scan of the
 * whole journal.
 */
const MOVEMENTS = `
  journal_entries e CROSS JOIN LATERAL (
    SELECT sum(amount_cents) FILTER (WHERE account LIKE 'available:%'
    OR account = 'dispute_debt')::bigint AS amount,
      coalesce(sum(amount_cents) FILTER (WHERE account = 'fees'), 0)::bigint AS fee,
      bool_or(account LIKE 'available:%') AS is_covered
    FROM journal_lines WHERE entry_id = e.id OFFSET 0) AS moved
  WHERE e.merchant_id = $1 AND e.environment = $2 AND e.created_at >= $3::timestamptz
    AND e.created_at < $4::timestamptz AND e.kind = ANY ($5::text[]) AND moved.amount <> 0`;

/**
 * The count stops at this number, but the list has no limit. The count's ORDER BY makes PostgreSQL use the
 * index by wallet and time, so that it reads no other wallet.
 */
const MAX_COUNTED = 10_000;
const COUNT = `
  SELECT count(*) AS total FROM (
    SELECT FROM ${MOVEMENTS} ORDER BY e.created_at LIMIT ${MAX_COUNTED + 1}) AS counted`;

/**
 * Reads movements with the texts of statement rows. A settlement has the texts of its charge's payment. A
 * dispute that took no available money has the texts of its DISPUTE_DEFICIT row. `edge` starts the next page.
 */
const readInOrder = (order: Order, { isBehind, step }: { isBehind: string; step: string }) => `
  SELECT page.id, page.id AS "entryId", page.kind, page.amount, page.fee, page.created_at AS "createdAt",
  total,
    (page.created_at + ${step})::text AS edge, t.type, t.description, t.payment_method AS "paymentMethod",
    t.charge_id AS "chargeId", t.withdrawal_id AS "withdrawalId"
  FROM (
    SELECT * FROM (
      SELECT e.*, moved.*, sum(moved.amount)
        OVER (ORDER BY e.created_at ${order}, e.id ${order} ROWS UNBOUNDED PRECEDING)::bigint AS total
      FROM ${MOVEMENTS}) AS movements
    WHERE $6::uuid IS NULL OR ${isBehind}
    ORDER BY created_at ${order}, id ${order} OFFSET $7 LIMIT $8) AS page
  LEFT JOIN LATERAL (SELECT id FROM journal_entries
    WHERE page.kind = 'receivable_due' AND kind = 'charge_paid'
    AND reference = page.charge_id OFFSET 0) AS paid ON true
  LEFT JOIN LATERAL (SELECT * FROM wallet_transactions WHERE entry_id = coalesce(paid.id, page.id)
    ORDER BY (type = 'DISPUTE_DEFICIT') = page.is_covered, ordinal LIMIT 1) AS t ON true
  ORDER BY page.created_at ${order}, page.id ${order}`;

const MICROSECOND = "interval '1 microsecond'";
const READ = {
  asc: readInOrder('asc', { isBehind: '(created_at, id) > ($3::timestamptz, $6)', step: "interval '0'" }),
  desc: readInOrder('desc', {
    isBehind: `(created_at, id) < ($4::timestamptz - ${MICROSECOND}, $6)`,
    step: MICROSECOND,
  }),
};

type Movement = Omit<WalletTransaction, 'balanceAfter' | 'movement'> & {
  entryId: string;
  kind: MovementKind;
  fee: Cents;
  /**
   * The sum of the amounts of this row and of the rows before it. Ascending order begins at `from`,
   * descending order at `until`.
   */
  total: Cents;
  edge: string;
};

/**
 * Selects the rows between the edges in the order `order`. With `behind`, the id of a row, only the rows that
 * follow this row are read.
 */
interface Slice extends Edges {
  order: Order;
  behind?: string | undefined;
  offset: number;
  limit: number;
}

async function readMovements(db: Queryable, tenant: Tenant, slice: Slice) {
  const { from, until, order, behind = null, offset, limit } = slice;
  const edge = await balanceBefore(db, tenant, order === 'asc' ? from : until);
  const values = [...valuesOf(tenant, slice), behind, offset, limit];
  const found = await db.queryUnprepared<Movement>(READ[order], values);
  const rows = found.map(({ kind, amount, fee, total, description, ...row }) => ({
    ...row,
    amount,
    description: kind === 'receivable_due' ? `Settlement of ${description}` : description,
    balanceAfter: order === 'asc' ? edge + total : edge - total + amount,
    movement: movementOf(kind, amount, fee),
  }));
  return withNames(db, rows);
}

function valuesOf({ merchantId, environment }: Tenant, { from, until }: Edges): unknown[] {
  return [merchantId, environment, from, until, movementKinds];
}

async function balanceBefore(db: Queryable, tenant: Tenant, end: string): Promise<Cents> {
  return availableBalance((await findWalletBefore(db, tenant, end)).wallet);
}

/** Returns a page of the changes of the available balance in a period, as of the wallet's last change. */
export async function listAvailable(
  db: Queryable,
  tenant: Tenant,
  query: StatementQuery,
): Promise<StatementPage> {
  const { order, limit } = query;
  const edges = await findEdges(db, tenant, query);
  const position = query.after === undefined ? null : positionOf(query.after, 2);
  const page = position?.page ?? query.page;
  const slice = position ? behindPosition(edges, order, position) : { ...edges, offset: (page - 1) * limit };
  const [counted] = await db.queryUnprepared<{ total: number }>(COUNT, valuesOf(tenant, edges));
  const rows = await readMovements(db, tenant, { offset: 0, ...slice, order, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const isLast = rows.length <= limit || !last;
  const found = counted?.total ?? 0;
  return {
    items,
    page,
    total: Math.min(found, MAX_COUNTED),
    isCapped: found > MAX_COUNTED,
    ...(isLast ? {} : { next: cursorOf({ page: page + 1, values: [last.edge, last.id] }) }),
    openingBalance: await balanceBefore(db, tenant, edges.from),
    closingBalance: await balanceBefore(db, tenant, edges.until),
  };
}

function behindPosition(edges: Edges, order: Order, { values: [edge, behind] }: Position) {
  const isPosition = typeof edge === 'string' && typeof behind === 'string' && isUuid(behind);
  if (!isPosition || Number.isNaN(Date.parse(edge))) throw brokenCursor();
  return { ...edges, ...(order === 'asc' ? { from: edge } : { until: edge }), behind };
}

export async function findAvailable(db: Queryable, tenant: Tenant, period: Period): Promise<FoundPeriod> {
  const edges = await findEdges(db, tenant, period);
  return {
    openingBalance: await balanceBefore(db, tenant, edges.from),
    closingBalance: await balanceBefore(db, tenant, edges.until),
    rows: (reads, order) => readAvailable(reads, tenant, { ...edges, order }),
  };
}

/**
 * Yields all rows of a period in batches. Keeps no transaction open between batches, because rows never
 * change.
 */
async function* readAvailable(db: Queryable, tenant: Tenant, { order, ...edges }: Edges & { order: Order }) {
  let slice: Edges & { behind?: string } = edges;
  for (const limit of batchSizes()) {
    const rows = await readMovements(db, tenant, { ...slice, order, offset: 0, limit });
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    slice = { ...edges, ...(order === 'asc' ? { from: last.edge } : { until: last.edge }), behind: last.id };
  }
}
