import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, isTransientDatabaseError, migrate } from '@plataforma/data';
import { firstIdOf, newId, type Tenant } from '@plataforma/kernel';
import { createTestDatabase, eventually } from '@plataforma/testing';
import { openAt } from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';
import {
  claimDeliveries,
  LAP_BEGIN,
  settleDeliveries,
  visitConfigurations,
} from '../../src/store/deliveries.ts';
import { findDelivery } from '../../src/store/delivery-lists.ts';
import { insertNotifications } from '../../src/store/notifications.ts';
import { newTenant } from '../support/identity.ts';
import { claimAsBefore, forgetAsBefore, releaseAsBefore, settleAsBefore } from '../support/release-0.4.ts';

const until = (last: string) => migrations.slice(0, migrations.findIndex(({ name }) => name === last) + 1);
const before = until('022_webhook_faults');

let home: Awaited<ReturnType<typeof createTestDatabase>>;
let owner: Database;
let replica: Database;
const tenant: Tenant = newTenant();
const configurationId = newId();

beforeAll(async () => {
  home = await createTestDatabase();
  await migrate(home.url, before, home.env.DATABASE_URL);
  owner = openAt(home.url);
  replica = openAt(home.env.DATABASE_URL, 8);
  await owner.query(
    `INSERT INTO configurations (id, merchant_id, environment, url, events, secret_key_id, secret_sealed)
     VALUES ($1, $2, $3, 'https://shop.example/', '{}', 'first', '')`,
    [configurationId, tenant.merchantId, tenant.environment],
  );
});
afterAll(() => Promise.all([owner.close(), replica.close()]));

/** As a batch is stored: a message that comes twice is stored once. */
async function store(count: number): Promise<void> {
  const notifications = Array.from({ length: count }, () => ({
    ...{ ...tenant, id: newId(), type: 'charge.paid' as const, resourceId: newId() },
    ...{ sequence: 1, occurredAt: new Date().toISOString(), body: '{}', traceparent: null },
  }));
  const batch = () => notifications.map(({ id: eventId }) => ({ id: newId(), eventId, configurationId }));
  for (const deliveries of [batch(), batch()])
    await patiently(() =>
      replica.transaction((tx) => insertNotifications(tx, notifications, { deliveries })),
    );
}

/** A replica takes what is transient for that, and tries again; all else is a dead letter, or a delivery that is late. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransientDatabaseError(error)) throw error;
    }
  }
}

async function deliverAsBefore(): Promise<number> {
  const claimed = await patiently(() => claimAsBefore(replica, configurationId, 5));
  if (claimed.ids.length === 5 && Math.random() < 0.1) {
    await patiently(() => releaseAsBefore(replica, claimed));
    return 0;
  }
  return patiently(() => settleAsBefore(replica, claimed));
}

const waiting = async () => (await owner.query("SELECT FROM deliveries WHERE status = 'PENDING'")).length;

test('a replica of the release before stores, claims and settles while its tables are put into months, and after', async () => {
  for (let n = 0; n < 20; n += 1) await store(10);
  for (let n = 0; n < 10; n += 1) await deliverAsBefore();
  const [early] = await owner.query<{ id: string }>(
    "SELECT id FROM deliveries WHERE status = 'SUCCEEDED' LIMIT 1",
  );
  let stored = 200;
  let isOver = false;
  const writers = [1, 2].map(async () => {
    for (; !isOver; stored += 3) await store(3);
  });
  const senders = [1, 2].map(async () => {
    while (!isOver) await deliverAsBefore();
  });

  const ran = await migrate(home.url, migrations, home.env.DATABASE_URL);
  const whileMigrated = stored;
  while (stored < whileMigrated + 20) await deliverAsBefore();
  isOver = true;
  await Promise.all([...writers, ...senders]);
  // What is left one of each release delivers.
  while ((await waiting()) > 0) {
    await deliverAsBefore();
    await deliverAsNow();
  }

  expect(ran).toContain('026_events_by_month_events');
  expect(whileMigrated).toBeGreaterThan(200);
  const [counted] = await owner.query(`
    SELECT count(*) AS deliveries, count(DISTINCT d.event_id) AS events, count(*) FILTER (WHERE d.attempts = 1) AS once,
      (SELECT count(*) FROM delivery_attempts) AS attempts,
      (SELECT count(*) FROM delivery_attempts a JOIN deliveries o ON o.id = a.delivery_id
        WHERE a.event_id IN (o.event_id, '00000000-0000-0000-0000-000000000000')) AS "theirOwn"
    FROM deliveries d JOIN events e ON e.id = d.event_id`);
  expect(counted).toEqual({
    deliveries: stored,
    events: stored,
    once: stored,
    attempts: stored,
    theirOwn: stored,
  });
  expect((await findDelivery(replica, tenant, early?.id ?? ''))?.tries).toHaveLength(1);

  expect(await forgetAsBefore(replica, firstIdOf(new Date(Date.now() + 1_000)))).toBeGreaterThan(0);
});

test('of what a replica of the release before settles, one that is gone keeps no other from it', async () => {
  await store(3);
  const claimed = await claimAsBefore(replica, configurationId, 3);
  await owner.query('DELETE FROM deliveries WHERE id = $1', [claimed.ids[0]]);

  expect(await settleAsBefore(replica, claimed)).toBe(2);
});

/** Of each that waits for this table: which others it keeps everybody from. */
const WAITING = `
  SELECT array(SELECT relation::regclass::text FROM pg_locks held
    WHERE held.pid = waits.pid AND granted AND mode = 'AccessExclusiveLock'
      AND relation IN ('configurations'::regclass, 'deliveries'::regclass, 'events'::regclass)) AS locked
  FROM pg_locks waits WHERE relation = 'delivery_attempts'::regclass AND NOT granted`;

test('the step that waits for attempts first, be it from release 0.3 on, keeps nobody from other tables', async () => {
  const other = await createTestDatabase();
  const beside = openAt(other.url, 3);
  await migrate(other.url, until('021_settled_deliveries'));

  const [migrating, seen] = await beside.transaction(async (tx) => {
    await tx.query('LOCK TABLE delivery_attempts IN ROW EXCLUSIVE MODE');
    const ran = migrate(other.url, migrations);
    return [
      { ran },
      await eventually(async () => {
        const [first] = await beside.query(WAITING);
        if (!first) throw new Error('nobody waits');
        return first;
      }),
    ] as const;
  });

  expect(seen).toEqual({ locked: [] });
  expect(await migrating.ran).toContain('024_attempts_of_events');
  await beside.close();
});

async function deliverAsNow(): Promise<void> {
  const { months } = await visitConfigurations(replica, LAP_BEGIN);
  const shares = [{ configurationId, slots: 5 }];
  const { deliveries } = await claimDeliveries(replica, { limit: 5, shares, leaseMs: 60_000, months });
  const attempt = { at: new Date(), durationMs: 5, statusCode: 200, failure: null, responseBody: 'ok' };
  const results = deliveries.map((delivery) => ({
    delivery,
    attempt,
    status: 'SUCCEEDED' as const,
    retryInMs: null,
  }));
  await settleDeliveries(replica, results);
}
