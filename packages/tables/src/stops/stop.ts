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

/** An operator's step in a change that needs two operators. */
export interface OperatorStep {
  by: string;
  at: Date;
}

/** Stops orders until two operators, or the only active one, end the stop. Times are the database's. */
export interface OrderStop {
  id: string;
  what: StoppableOrder;
  /** Null: every provider. */
  provider: StopProvider | null;
  /** Null: every merchant. */
  merchantId: string | null;
  reason: string;
  stoppedBy: string;
  stoppedAt: Date;
  /** The first request to end the stop; null if one operator ended it alone. */
  proposal: OperatorStep | null;
  start: OperatorStep | null;
}

const STOP_COLUMNS = columnsOf(`
  id, what, provider, merchant_id, reason, stopped_by, stopped_at, proposed_by, proposed_at, started_by,
  started_at`);
const COLUMNS = STOP_COLUMNS.join(', ');

type StopRow = Omit<OrderStop, 'proposal' | 'start'> & {
  proposedBy: string | null;
  proposedAt: Date | null;
  startedBy: string | null;
  startedAt: Date | null;
};

function stopOf({ proposedBy, proposedAt, startedBy, startedAt, ...stop }: StopRow): OrderStop {
  const step = (by: string | null, at: Date | null) => (by !== null && at !== null ? { by, at } : null);
  return { ...stop, proposal: step(proposedBy, proposedAt), start: step(startedBy, startedAt) };
}

/** Returns the operators who asked to end the stop, in that order. */
export function startersOf({ proposal, start }: Pick<OrderStop, 'proposal' | 'start'>): string[] {
  return [proposal, start].flatMap((step) => step?.by ?? []);
}

export function stopView({ proposal, start, stoppedAt, ...stop }: OrderStop): StopView {
  const { id, what, provider, merchantId, reason, stoppedBy } = stop;
  return {
    ...{ id, service: serviceOfStop(what), what, provider, merchantId, reason },
    ...{ stoppedAt: stoppedAt.toISOString(), stoppedBy },
    startedBy: startersOf({ proposal, start }),
    startedAt: start?.at.toISOString() ?? null,
  };
}

/** Reads the newest matching stops, and the number of all that match. */
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

/** Inserts a stop; returns null when the same stop is active already. */
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

/** Finds the active stop of exactly these orders. */
export async function findSameStop(
  db: Queryable,
  { what, provider, merchantId }: StopOrder,
): Promise<OrderStop | null> {
  const [row] = await db.query<StopRow>(FIND_SAME, [what, provider ?? null, merchantId ?? null]);
  return row ? stopOf(row) : null;
}

const LOCK = `SELECT ${COLUMNS}, now() AS now FROM stops WHERE id = $1 FOR UPDATE`;

/** Locks a stop and returns it with the database's time, or null when it does not exist. */
export async function lockStop(tx: Transaction, id: string): Promise<{ stop: OrderStop; now: Date } | null> {
  const [row] = await tx.query<StopRow & { now: Date }>(LOCK, [id]);
  if (!row) return null;
  const { now, ...stop } = row;
  return { stop: stopOf(stop), now };
}

const SAVE = `
  UPDATE stops SET proposed_by = $2, proposed_at = $3, started_by = $4, started_at = $5 WHERE id = $1`;

export async function saveStop(tx: Transaction, { id, proposal, start }: OrderStop): Promise<void> {
  await tx.query(SAVE, [id, proposal?.by, proposal?.at, start?.by, start?.at]);
}

/** Returns SQL that is true while a stop covers the order, for the statement that would store the order. */
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
