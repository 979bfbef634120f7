import type { StoppableOrder } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { metrics } from '../metrics.ts';
import type { OrderStop } from './stop.ts';

/** A table of orders that operators can stop. Its rows have a `merchant_id`. All fields are SQL. */
export interface StoppedOrders {
  what: StoppableOrder;
  table: string;
  /** SQL of the provider to which the row `item` sends its order. NULL for an order that people carry out. */
  provider: string;
  /**
   * The SQL condition for a row that a stop delays: its order was not sent, or the provider is not known to
   * have the order.
   */
  waits: string;
  /** The column of the time of the next check. A change of this time does not end a lease of the row. */
  due: string;
}

const MOST_COUNTED = 100_000;
/**
 * The maximum number of orders that become due when a stop ends. All other stopped orders wait for the end of
 * their backoff.
 */
const MOST_MADE_DUE = 10_000;

/**
 * Returns the SQL condition that a stop applies to the row `item`. The fields of `stop` are SQL for the
 * stop's provider and merchant: a column or a parameter.
 */
function isCoveredSql(
  { waits, provider }: StoppedOrders,
  stop: { provider: string; merchantId: string },
): string {
  return `(${waits}) AND (${stop.provider} IS NULL OR ${stop.provider} = (${provider}))
    AND (${stop.merchantId} IS NULL OR ${stop.merchantId} = item.merchant_id)`;
}

/**
 * Makes the orders of an ended stop due. Locks the rows in the order of their ids, so that two stops that end
 * at the same time cause no deadlock.
 */
export async function makeStoppedDue(
  database: Database,
  orders: readonly StoppedOrders[],
  { what, provider, merchantId }: OrderStop,
): Promise<void> {
  for (const each of orders.filter((one) => one.what === what)) {
    const { table, due } = each;
    const makeDue = `
      UPDATE ${table} SET ${due} = now()
      WHERE id IN (
        SELECT id FROM ${table} AS item
        WHERE ${isCoveredSql(each, { provider: '$1::text', merchantId: '$2::uuid' })} AND ${due} > now()
        ORDER BY id LIMIT ${MOST_MADE_DUE} FOR NO KEY UPDATE OF item)`;
    await database.queryUnprepared(makeDue, [provider, merchantId]);
  }
}

const COUNT_STOPS = `
  SELECT what, (count(*) FILTER (WHERE started_at IS NULL))::integer AS active,
    (count(*) FILTER (WHERE proposed_by IS NULL AND started_at > now() - interval '1 hour'))::integer AS alone
  FROM stops WHERE started_at IS NULL OR started_at > now() - interval '1 hour'
  GROUP BY what`;

/**
 * Returns gauges of active stops, of orders that wait because of a stop, and of stops that one operator ended
 * alone within the last hour.
 */
export async function readStopGauges(
  database: Database,
  orders: readonly StoppedOrders[],
): Promise<GaugeSample[]> {
  const rows = await database.query<{ what: StoppableOrder; active: number; alone: number }>(COUNT_STOPS);
  const samples = [...Map.groupBy(orders, ({ what }) => what)].map(async ([what, ofSort]) => {
    const { active = 0, alone = 0 } = rows.find((row) => row.what === what) ?? {};
    const counts = active === 0 ? [] : ofSort.map((each) => countStopped(database, each));
    const waiting = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    return [
      metrics.gauge('plataforma_stops_active', { what }, active),
      metrics.gauge('plataforma_stops_waiting', { what }, waiting),
      metrics.gauge('plataforma_stops_started_alone', { what }, alone),
    ] satisfies GaugeSample[];
  });
  return (await Promise.all(samples)).flat();
}

async function countStopped(database: Database, orders: StoppedOrders): Promise<number> {
  const stop = { provider: 'stops.provider', merchantId: 'stops.merchant_id' };
  const count = `
    SELECT count(*)::integer AS count FROM (
      SELECT FROM ${orders.table} AS item
      WHERE EXISTS (
        SELECT FROM stops WHERE started_at IS NULL AND what = $1 AND ${isCoveredSql(orders, stop)})
      LIMIT ${MOST_COUNTED}) AS waiting`;
  const [row] = await database.queryUnprepared<{ count: number }>(count, [orders.what]);
  return row?.count ?? 0;
}
