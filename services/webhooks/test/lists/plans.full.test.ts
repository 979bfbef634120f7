import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { openTestDatabase, type Scan, watchScans } from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';
import { listAllDeliveries, listDeliveries } from '../../src/store/delivery-lists.ts';
import { listEvents } from '../../src/store/event-lists.ts';
import { idAt } from '../support/history.ts';
import { newTenant } from '../support/identity.ts';

const ROWS = 12_000;
const BIG_SHARE = 3;
const OTHERS = 20;

const [big, small] = [newTenant(), newTenant()];
let database: Database;

/** Three tenths belong to one merchant, ten rows to another, and the rest to twenty, mixed with each other. */
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
    FROM generate_series(1, ${ROWS}) AS n,
      LATERAL (SELECT now() - n * interval '100 seconds' AS at) AS moment,
      LATERAL (SELECT CASE WHEN n % 2000 = 7 THEN -1 WHEN n % 10 < ${BIG_SHARE} THEN 0 ELSE 1 + n % ${OTHERS} END AS of) AS drawn,
      LATERAL (SELECT merchant_id FROM owners WHERE place = of) AS owner
    RETURNING *)
  INSERT INTO deliveries
    (id, merchant_id, environment, event_id, event_type, configuration_id, status, due_at, created_at)
  SELECT ${idAt('stored.created_at')}, stored.merchant_id, 'sandbox', stored.id, stored.type, configured.id, status,
    CASE WHEN status = 'PENDING' THEN now() END, stored.created_at
  FROM stored JOIN configured USING (merchant_id),
    LATERAL (SELECT CASE WHEN random() < 0.01 THEN 'FAILED' WHEN random() < 0.01 THEN 'PENDING' ELSE 'SUCCEEDED' END
      AS status, stored.id) AS drawn`;

beforeAll(async () => {
  ({ database } = await openTestDatabase(migrations, 1));
  await database.query(SEED, [big.merchantId, small.merchantId]);
  for (const table of ['events', 'deliveries']) await database.query(`VACUUM ANALYZE ${table}`);
});
afterAll(() => database.close());

/** Answers as the database does, and sums up how many entries of indexes and rows of tables were looked at. */
function measured() {
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

const ofBig = (ROWS * BIG_SHARE) / 10;
const DAY_MS = 86_400_000;
const since = new Date(Date.now() - 30 * DAY_MS);
const slice = { page: 1, limit: 20 };
/** A page, its events and its configurations, with room for what a sort or a probe reads besides. */
const A_PAGE = 100;

describe('a merchant’s list reads', () => {
  test.each([
    ['the newest', slice],
    ['a far page', { page: 150, limit: 20 }],
    ['those of a rare event', { ...slice, event: 'dispute.opened' as const }],
    [
      'those of five days',
      { ...slice, startDate: new Date(Date.now() - 7 * DAY_MS), endDate: new Date(Date.now() - 2 * DAY_MS) },
    ],
  ])('no rows but the page’s, and of the index the merchant’s part: %s', async (_what, query) => {
    const { db, cost } = measured();

    const { items } = await listDeliveries(db, big, query);

    expect(items.length).toBeGreaterThan(0);
    expect(cost.rows).toBeLessThanOrEqual(A_PAGE);
    expect(cost.entries).toBeLessThanOrEqual(2 * ofBig + A_PAGE);
  });

  test('what failed only, of those that failed', async () => {
    const { db, cost } = measured();

    const { total } = await listDeliveries(db, big, { ...slice, status: 'FAILED' });

    expect(total).toBeGreaterThan(0);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(total + 2 * A_PAGE);
  });

  test('next to nothing of a merchant who has next to nothing', async () => {
    const { db, cost } = measured();

    const { total } = await listDeliveries(db, small, slice);

    expect(total).toBe(ROWS / 2000);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(A_PAGE);
  });

  test('next to nothing of a resource that has next to nothing', async () => {
    const { items } = await listDeliveries(database, big, slice);
    const resourceId = items[0]?.resourceId;
    const { db, cost } = measured();

    const { total } = await listDeliveries(db, big, { ...slice, resourceId });

    expect(total).toBe(1);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(A_PAGE);
  });
});

describe('the feed reads', () => {
  test.each([
    ['the newest', slice],
    ['a far page', { page: 150, limit: 20 }],
    ['a rare event', { ...slice, event: 'dispute.opened' as const }],
  ])('no rows but the page’s, and of the index the merchant’s part: %s', async (_what, query) => {
    const { db, cost } = measured();

    const { items } = await listEvents(db, big, { ...query, since, types: null });

    expect(items.length).toBeGreaterThan(0);
    expect(cost.rows).toBeLessThanOrEqual(A_PAGE);
    expect(cost.entries).toBeLessThanOrEqual(2 * ofBig + A_PAGE);
  });

  test('next to nothing of a resource that has next to nothing', async () => {
    const { items } = await listEvents(database, big, { ...slice, since, types: null });
    const resourceId = items[0]?.resourceId;
    const { db, cost } = measured();

    const { total } = await listEvents(db, big, { ...slice, resourceId, since, types: null });

    expect(total).toBe(1);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(A_PAGE);
  });
});

describe('the operators’ list reads', () => {
  test('no more of everybody’s than it counts', async () => {
    const { db, cost } = measured();

    const { total } = await listAllDeliveries(db, slice);

    expect(total).toBe(10_000);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(10_000 + A_PAGE);
  });

  test.each([
    [
      'days',
      { startDate: new Date(Date.now() - 7 * DAY_MS), endDate: new Date(Date.now() - 2 * DAY_MS) },
      4_320,
    ],
    ['what failed', { status: 'FAILED' as const }, 240],
  ])(
    'no more than what it is narrowed to, and what two clocks differ by: %s',
    async (_what, filter, about) => {
      const { db, cost } = measured();

      const { items, total } = await listAllDeliveries(db, { ...slice, ...filter });

      expect(items).toHaveLength(20);
      expect(total).toBeLessThan(2 * about);
      expect(cost.entries + cost.rows).toBeLessThanOrEqual(2 * total + A_PAGE);
    },
  );

  test('a page in the order it is stored in: of an environment, of an event', async () => {
    for (const filter of [{}, { environment: 'sandbox' as const }, { event: 'charge.paid' as const }]) {
      const { db, cost } = measured();
      const { items } = await listAllDeliveries(db, { ...slice, ...filter, page: 3 });

      const newest = items.map(({ createdAt }) => createdAt.getTime());
      expect(newest).toEqual(newest.toSorted((one, other) => other - one));
      expect(cost.entries + cost.rows).toBeLessThanOrEqual(10_000 * 1.1 + 2 * A_PAGE);
    }
  });

  test('one merchant’s part, when it is narrowed to a webhook', async () => {
    const { items } = await listDeliveries(database, small, slice);
    const webhookId = items[0]?.configurationId;
    const { db, cost } = measured();

    const { total } = await listAllDeliveries(db, { ...slice, webhookId });

    expect(total).toBe(ROWS / 2000);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(A_PAGE);
  });
});
