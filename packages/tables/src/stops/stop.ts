import {
  type StopOrder,
  type StopPartQuery,
  type StopProvider,
  type StoppableOrder,
  type StopSubject,
  type StopView,
  serviceOfStop,
} from '@plataforma/contracts';
import { byMillisecond, columnsOf, type Queryable, readPage, type Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';

/** The step of one operator in a change that needs two operators. */
export interface OperatorStep {
  by: string;
  at: Date;
}

/**
 * A stop of orders. It lasts until two operators, or a single operator, end it. All times are by the
 * database's clock.
 */
export interface OrderStop {
  id: string;
  what: StoppableOrder;
  /** The provider whose orders are stopped. Null stops the orders to every provider. */
  provider: StopProvider | null;
  /** The merchant whose orders are stopped. Null stops the orders of every merchant. */
  merchantId: string | null;
  reason: string;
  stoppedBy: string;
  stoppedAt: Date;
  /**
   * The first of two requests to end the stop. Null before that request, and when one operator ended the stop
   * alone.
   */
  proposal: OperatorStep | null;
  /** The end of the stop, after which orders start again. Null while the stop is active. */
  end: OperatorStep | null;
}

/** The columns `started_by` and `started_at` record the end of the stop, after which orders start again. */
const STOP_COLUMNS = columnsOf(`
  id, what, provider, merchant_id, reason, stopped_by, stopped_at, proposed_by, proposed_at, started_by,
  started_at`);
const COLUMNS = STOP_COLUMNS.join(', ');

type StopRow = Omit<OrderStop, 'proposal' | 'end'> & {
  proposedBy: string | null;
  proposedAt: Date | null;
  startedBy: string | null;
  startedAt: Date | null;
};

function stopOf({ proposedBy, proposedAt, startedBy, startedAt, ...stop }: StopRow): OrderStop {
  const step = (by: string | null, at: Date | null) => (by !== null && at !== null ? { by, at } : null);
  return { ...stop, proposal: step(proposedBy, proposedAt), end: step(startedBy, startedAt) };
}

/** Returns the operators who requested the end of the stop, in the order of their requests. */
export function endersOf({ proposal, end }: Pick<OrderStop, 'proposal' | 'end'>): string[] {
  return [proposal, end].flatMap((step) => step?.by ?? []);
}

export function stopView({ proposal, end, stoppedAt, ...stop }: OrderStop): StopView {
  const { id, what, provider, merchantId, reason, stoppedBy } = stop;
  return {
    ...{ id, service: serviceOfStop(what), what, provider, merchantId, reason },
    ...{ stoppedAt: stoppedAt.toISOString(), stoppedBy },
    startedBy: endersOf({ proposal, end }),
    startedAt: end?.at.toISOString() ?? null,
  };
}

/** Returns the newest matching stops, and the total number of matching stops. */
export async function readStops(
  db: Queryable,
  { what, merchantId, id, ended, newest, after }: StopPartQuery,
): Promise<{ total: number; stops: OrderStop[] }> {
  const matching = byMillisecond('stops', 'stopped_at', STOP_COLUMNS);
  if (what) matching.where({ what });
  if (merchantId) matching.where({ merchant_id: merchantId });
  if (id) matching.where({ id });
  if (ended === 'true') matching.whereNotNull('started_at');
  if (ended === 'false') matching.whereNull('started_at');
  const listing = { matching, itemOf: stopOf, newestBy: ['stopped_at', 'id'] };
  const { items: stops, total } = await readPage(db, listing, { page: 1, limit: newest, after });
  return { total, stops };
}

const ACTIVE = `SELECT ${COLUMNS} FROM stops WHERE started_at IS NULL AND what = $1`;

export async function activeStops(db: Queryable, orderKind: StoppableOrder): Promise<OrderStop[]> {
  return (await db.query<StopRow>(ACTIVE, [orderKind])).map(stopOf);
}

const INSERT = `
  INSERT INTO stops (id, what, provider, merchant_id, reason, stopped_by) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (what, provider, merchant_id) WHERE started_at IS NULL DO NOTHING
  RETURNING ${COLUMNS}`;

/** Inserts a stop. Returns null when an active stop of the same orders exists. */
export async function insertStop(
  tx: Transaction,
  { what, provider, merchantId, reason }: StopOrder,
  operatorId: string,
): Promise<OrderStop | null> {
  const values = [newId(), what, provider ?? null, merchantId ?? null, reason, operatorId];
  const [row] = await tx.query<StopRow>(INSERT, values);
  return row ? stopOf(row) : null;
}

const FIND_SAME = `
  SELECT ${COLUMNS} FROM stops
  WHERE started_at IS NULL AND what = $1
    AND provider IS NOT DISTINCT FROM $2 AND merchant_id IS NOT DISTINCT FROM $3::uuid`;

/** Finds the active stop with the same kind of orders, provider and merchant. */
export async function findSameStop(
  db: Queryable,
  { what, provider, merchantId }: StopOrder,
): Promise<OrderStop | null> {
  const [row] = await db.query<StopRow>(FIND_SAME, [what, provider ?? null, merchantId ?? null]);
  return row ? stopOf(row) : null;
}

const LOCK = `SELECT ${COLUMNS}, now() AS now FROM stops WHERE id = $1 FOR UPDATE`;

/** Locks a stop, and returns it with the database's time. Returns null when the stop does not exist. */
export async function lockStop(tx: Transaction, id: string): Promise<{ stop: OrderStop; now: Date } | null> {
  const [row] = await tx.query<StopRow & { now: Date }>(LOCK, [id]);
  if (!row) return null;
  const { now, ...stop } = row;
  return { stop: stopOf(stop), now };
}

const SAVE = `
  UPDATE stops SET proposed_by = $2, proposed_at = $3, started_by = $4, started_at = $5 WHERE id = $1`;

export async function saveStop(tx: Transaction, { id, proposal, end }: OrderStop): Promise<void> {
  await tx.query(SAVE, [id, proposal?.by, proposal?.at, end?.by, end?.at]);
}

/**
 * Returns an SQL condition that is true while an operator's stop applies to the order. The fields of `order`
 * are SQL expressions. A statement that stores an order can contain the condition.
 */
export function isStoppedSql(order: Record<keyof StopSubject, string>): string {
  return `EXISTS (
    SELECT FROM stops
    WHERE started_at IS NULL AND what = ${order.what}
      AND (provider IS NULL OR provider = ${order.provider})
      AND (merchant_id IS NULL OR merchant_id = ${order.merchantId}::uuid))`;
}

const STOPPED = `SELECT true WHERE ${isStoppedSql({ what: '$1', provider: '$2', merchantId: '$3' })}`;

export async function isStopped(
  db: Queryable,
  { what, provider, merchantId }: StopSubject,
): Promise<boolean> {
  return (await db.query(STOPPED, [what, provider, merchantId])).length > 0;
}
