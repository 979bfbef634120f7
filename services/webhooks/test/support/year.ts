import type { Database, Queryable } from '@plataforma/data';
import { startOfMonth } from '@plataforma/testing';
import { openTestDatabase, type Scan, watchScans } from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';
import { idAt } from './history.ts';
import { newTenant } from './identity.ts';
import { makeMonths } from './months.ts';

export const ROWS = 12_000;
export const BIG_SHARE = 3;
const OTHERS = 20;
const MONTHS = 12;
export const OF_MONTH = ROWS / MONTHS;

/**
 * Inserts the same number of rows in each month. Three tenths belong to one merchant and ten rows to another.
 * Twenty merchants share the remaining rows, in mixed order.
 */
const SEED = `
  WITH owners (merchant_id, place) AS (
    SELECT gen_random_uuid(), place FROM generate_series(1, ${OTHERS}) AS place
    UNION ALL VALUES ($1::uuid, 0), ($2::uuid, -1)),
  configured AS (
    INSERT INTO configurations (id, merchant_id, environment, url, events, secret_key_id, secret_sealed)
    SELECT gen_random_uuid(), merchant_id, 'sandbox', 'https://shop.example/', '{}', 'first', ''
    FROM owners RETURNING id, merchant_id),
  stored AS (
    INSERT INTO events (id, merchant_id, environment, type, resource_id, body, occurred_at, created_at)
    SELECT ${idAt('at')}, merchant_id, 'sandbox',
      CASE WHEN n % 100 = 0 THEN 'dispute.opened' ELSE 'charge.paid' END, gen_random_uuid(),
      json_build_object('timestamp', at, 'data', repeat('x', 300))::text, at, at
    FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS month (begins, ends, number),
      generate_series(0, ${OF_MONTH - 1}) AS place,
      LATERAL (SELECT (number - 1) * ${OF_MONTH} + place AS n,
        begins + (place + 1) * (ends - begins) / ${OF_MONTH + 1} AS at) AS moment,
      LATERAL (SELECT CASE WHEN n % 2000 = 7 THEN -1 WHEN n % 10 < ${BIG_SHARE} THEN 0
      ELSE 1 + n % ${OTHERS} END AS of) AS drawn,
      LATERAL (SELECT merchant_id FROM owners WHERE place = of) AS owner
    RETURNING *)
  INSERT INTO deliveries
    (id, merchant_id, environment, event_id, event_type, configuration_id, status, due_at, created_at)
  SELECT ${idAt('stored.created_at')}, stored.merchant_id, 'sandbox', stored.id, stored.type, configured.id,
  status,
    CASE WHEN status = 'PENDING' THEN now() END, stored.created_at
  FROM stored JOIN configured USING (merchant_id),
    LATERAL (SELECT CASE WHEN random() < 0.01 THEN 'FAILED' WHEN random() < 0.01 THEN 'PENDING'
    ELSE 'SUCCEEDED' END
      AS status, stored.id) AS drawn`;

/** Analyses each partition but not the partitioned tables, as autovacuum does. */
async function asAutovacuum(database: Database): Promise<void> {
  const months = await database.query<{ name: string }>(`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent IN ('events'::regclass, 'deliveries'::regclass) AND relkind = 'r'`);
  for (const { name } of months) await database.query(`VACUUM ANALYZE ${name}`);
}

/**
 * Creates a year of events and deliveries. Returns the merchant with three tenths of the rows and the
 * merchant with ten rows.
 */
export async function openYear() {
  const [big, small] = [newTenant(), newTenant()];
  const { database } = await openTestDatabase(migrations, 1);
  await makeMonths(database, MONTHS);
  const begins = Array.from({ length: MONTHS }, (_, index) => startOfMonth(index + 1 - MONTHS));
  const ends = [...begins.slice(1), new Date()];
  await database.query(SEED, [big.merchantId, small.merchantId, begins, ends]);
  await asAutovacuum(database);
  return { database, big, small };
}

export type Year = Awaited<ReturnType<typeof openYear>>;

/** Returns a database that counts the index entries and table rows that its statements read. */
export function measured(database: Queryable) {
  const { db, scans } = watchScans(database);
  const sum = (countOf: (scan: Scan) => number) => scans.reduce((total, scan) => total + countOf(scan), 0);
  const isOfIndex = ({ kind }: Scan) => kind === 'Index Only Scan';
  const cost = {
    get entries() {
      return sum((scan) => (isOfIndex(scan) ? scan.read : 0));
    },
    get rows() {
      return sum((scan) => (isOfIndex(scan) ? scan.heapFetches : scan.read));
    },
  };
  return { db, cost };
}

/**
 * A limit for the table rows and index entries that a query reads for one page, including those of events and
 * configurations.
 */
export const A_PAGE = 100;
