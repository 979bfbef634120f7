import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Transaction } from '@plataforma/data';
import { firstIdOf, type Tenant } from '@plataforma/kernel';
import { eventually, monthOf, rounds, startOfMonth } from '@plataforma/testing';
import { watchScans } from '@plataforma/testing/world';
import { claimDeliveries } from '../../src/store/deliveries.ts';
import { findDelivery } from '../../src/store/delivery-lists.ts';
import { readFeed } from '../../src/store/event-feed.ts';
import { deliveryGauges } from '../../src/store/gauges.ts';
import { endInactiveAndListWaiting, findWaitingMonths, SCAN_BEGIN } from '../../src/store/waiting.ts';
import { attemptAt, deliveryOf, eventOf, nextIdOf } from '../support/history.ts';
import { newTenant } from '../support/identity.ts';
import { dropMonths, makeMonths } from '../support/months.ts';
import { senderBenchOfFile } from '../support/sender-bench.ts';

const MONTHS = 12;
const RETENTION = { eventRetentionDays: 32, deliveryRetentionDays: 32 };
const bench = senderBenchOfFile();

beforeAll(async () => {
  await makeMonths(bench.database, MONTHS);
});

/** The last millisecond of the previous month, and the first instant of the current month. */
const [before, after] = [
  new Date(startOfMonth(0).getTime() - 1).toISOString(),
  startOfMonth(0).toISOString(),
];

const rowsOf = ({ merchantId }: Tenant) =>
  bench.database.query<{ part: string; status: string }>(
    'SELECT tableoid::regclass::text AS part, status FROM deliveries WHERE merchant_id = $1 ORDER BY event_id',
    [merchantId],
  );

describe('the end of a month', () => {
  test('does not duplicate the delivery of repeated events around it', async () => {
    const tenant = await bench.shop();
    const sender = bench.startTestSender();
    await bench.caughtUp(sender, tenant);
    const ids = [before, after].map(nextIdOf);

    const first = await bench.queue(sender, tenant, { ids });
    const again = await Promise.all([
      bench.queue(sender, tenant, { ids }),
      bench.queue(sender, tenant, { ids: ids.toReversed() }),
    ]);

    await eventually(() => {
      sender.answerOne();
      expect(sender.sent).toEqual(expect.arrayContaining(first.ids));
    });
    expect(first.ids).toHaveLength(2);
    expect(again.flatMap(({ ids: stored }) => stored)).toEqual([]);
    await eventually(async () => {
      sender.answerOne();
      expect((await rowsOf(tenant)).slice(0, 2)).toEqual(
        [1, 0].map((back) => ({ part: monthOf('deliveries', startOfMonth(-back)), status: 'SUCCEEDED' })),
      );
    });
  });

  test('does not interrupt, lose or repeat events of the feed', async () => {
    const tenant = newTenant();
    const stored: string[] = [];
    for (let n = 0; n < 20; n += 1)
      stored.push((await eventOf(bench.database, tenant, { at: n % 2 === 0 ? before : after })).id);
    const listing = { page: 1, limit: 3, since: new Date(0), types: null };

    const read: string[] = [];
    await eventually(async () => {
      const last = read.at(-1);
      const { items } = await readFeed(bench.database, tenant, {
        ...listing,
        ...(last ? { after: last } : {}),
      });
      read.push(...items.map(({ id }) => id));
      expect(read.length).toBeGreaterThanOrEqual(stored.length);
    });

    expect(read).toEqual(stored);
  });

  test('does not separate a delivery from its attempts', async () => {
    const tenant = await bench.shop();
    const [configuration] = await bench.database.query<{ id: string }>(
      'SELECT id FROM configurations WHERE merchant_id = $1',
      [tenant.merchantId],
    );
    const past = { configurationId: configuration?.id ?? '', status: 'PENDING' as const, at: before };
    const { id } = await deliveryOf(bench.database, tenant, past);
    await attemptAt(bench.database, { deliveryId: id, statusCode: 500 });
    await attemptAt(bench.database, { deliveryId: id });

    const partitions = await bench.database.query(
      'SELECT DISTINCT tableoid::regclass::text AS part FROM delivery_attempts WHERE delivery_id = $1',
      [id],
    );
    const story = await findDelivery(bench.database, tenant, id);

    expect(partitions).toEqual([{ part: monthOf('delivery_attempts', startOfMonth(-1)) }]);
    expect(story?.tries.map(({ statusCode }) => statusCode)).toEqual([500, 200]);
  });
});

/** Stores delivered deliveries in each month, and waiting deliveries in one month. */
async function fill(waitingMonth: number): Promise<string> {
  const tenant = await bench.shop();
  const [configuration] = await bench.database.query<{ id: string }>(
    'SELECT id FROM configurations WHERE merchant_id = $1',
    [tenant.merchantId],
  );
  const id = configuration?.id ?? '';
  for (let back = 0; back < MONTHS; back += 1) {
    await bench.database.query(
      `WITH stored AS (
        INSERT INTO events (id, merchant_id, environment, type, resource_id, body, occurred_at)
        SELECT (left($1::text, 14) || '7' || right(gen_random_uuid()::text, 21))::uuid, $2, $3, 'charge.paid',
        $2, '{}', now()
        FROM generate_series(1, 300) RETURNING id, type)
      INSERT INTO deliveries (id, merchant_id, environment, event_id, event_type, configuration_id, status,
      due_at)
      SELECT gen_random_uuid(), $2, $3, id, type, $4,
        CASE WHEN n <= $5 THEN 'PENDING' ELSE 'SUCCEEDED' END, CASE WHEN n <= $5 THEN now() END
      FROM (SELECT *, row_number() OVER () AS n FROM stored) AS numbered`,
      [
        ...[nextIdOf(startOfMonth(-back).toISOString()), tenant.merchantId, tenant.environment, id],
        back === waitingMonth ? 20 : 0,
      ],
    );
  }
  await bench.database.query('VACUUM ANALYZE deliveries');
  await bench.database.query('VACUUM ANALYZE events');
  return id;
}

const PREPARE_SETTLE = `SELECT 'PREPARE settle (' || oidvectortypes(proargtypes) || ') AS ' || prosrc AS sql
  FROM pg_proc WHERE proname = 'settle_deliveries' AND pronargs = 12`;
/** Returns how many rows of deliveries the current transaction has read by scans and by indexes. */
async function readsOf(tx: Transaction): Promise<{ scanned: number; fetched: number }> {
  const [reads] = await tx.queryUnprepared<{ scanned: number; fetched: number }>(
    `SELECT sum(seq_tup_read)::int AS scanned, sum(idx_tup_fetch)::int AS fetched
     FROM pg_stat_xact_user_tables WHERE relname ~ '^deliveries_\\d+$'`,
    [],
  );
  if (!reads) throw new Error('a sum is a row');
  return reads;
}

describe(`a delivery in one of ${MONTHS} months`, () => {
  const OLD = 7;

  test('is found and claimed in its own month’s partition alone', async () => {
    const configurationId = await fill(OLD);
    const { db, scans } = watchScans(bench.database);

    const { due, months } = await endInactiveAndListWaiting(db, SCAN_BEGIN);
    const shares = [{ configurationId, slots: 5 }];
    const { deliveries } = await claimDeliveries(db, { limit: 5, shares, leaseMs: 60_000, months });

    const read = scans.filter(
      ({ kind, table }) => kind !== 'ModifyTable' && /^(deliveries|events)/.test(table),
    );
    expect([due, deliveries.length]).toMatchObject([[{ configurationId }], 5]);
    expect(new Set(read.map(({ table }) => table))).toEqual(
      new Set(['deliveries', 'events'].map((table) => monthOf(table, startOfMonth(-OLD)))),
    );
    // Each delivery is read four times: found, locked, written and joined with its event. The scan reads two
    // more rows.
    expect(read.reduce((sum, scan) => sum + scan.read, 0)).toBeLessThanOrEqual(5 * 4 + 2);
  });

  test('gets its result by a plan that reads its month alone', async () => {
    const id = firstIdOf(startOfMonth(-OLD));
    const plan = await bench.database.transaction(async (tx) => {
      const [prepare] = await tx.query<{ sql: string }>(PREPARE_SETTLE);
      await tx.queryUnprepared('SET LOCAL plan_cache_mode = force_generic_plan', []);
      await tx.queryUnprepared(prepare?.sql ?? '', []);
      return tx.queryUnprepared(`EXPLAIN EXECUTE settle (${"'{}', ".repeat(10)}'${id}', '${id}')`, []);
    });
    const read = new Set(JSON.stringify(plan).match(/ deliveries_\d{6}/g));
    expect([...read]).toEqual([` ${monthOf('deliveries', startOfMonth(-OLD))}`]);
  });

  test('is counted by gauges that read its month alone', async () => {
    await fill(OLD);
    const { db, scans } = watchScans(bench.database);
    const [readDeliveries] = deliveryGauges(db, () => 0);

    const whileSomeWait = await readDeliveries?.();
    const read = scans.flatMap(({ table }) => (/^deliveries/.test(table) ? table : []));
    await bench.clear();
    const whenNoneWaits = await readDeliveries?.();

    expect(new Set(read)).toEqual(new Set([monthOf('deliveries', startOfMonth(-OLD))]));
    expect([whileSomeWait, whenNoneWaits].map((samples) => samples?.[0]?.value)).toEqual([20, 0]);
    expect(whenNoneWaits?.[1]?.value).toBe(0);
  });

  test('reveals its month by one read row', async () => {
    await fill(OLD);

    const [before, after] = await bench.database.transaction(async (tx) => {
      const earlier = await readsOf(tx);
      await findWaitingMonths(tx);
      return [earlier, await readsOf(tx)];
    });

    expect({ scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched }).toEqual({
      scanned: 0,
      fetched: 1,
    });
    await bench.clear();
    expect(await findWaitingMonths(bench.database)).toBeNull();
  });
});

test('the drop of a month delays no writer for 100 ms', async () => {
  const tenant = await bench.shop();
  const ends: string[][] = [];
  for (let round = 0; round < rounds(5); round += 1) {
    let isOver = false;
    const write = async (tx: Transaction) => {
      await tx.query("SET LOCAL lock_timeout = '100ms'");
      // A writer of deliveries takes this lock.
      await tx.query('LOCK TABLE ONLY deliveries IN ROW EXCLUSIVE MODE');
      await eventOf(tx, tenant);
    };
    const writers = Array.from({ length: 2 }, async () => {
      while (!isOver) await bench.database.transaction(write);
    }).map((writer) => writer.then(() => 'in time', String));
    const dropped = await bench.database.transaction(async (reader) => {
      await reader.query('SELECT FROM deliveries');
      return dropMonths(bench.database, RETENTION).finally(() => sleep(20));
    });
    isOver = true;
    ends.push(await Promise.all(writers));
    expect(dropped.filter((what) => what.startsWith('dropped deliveries'))).toEqual([]);
  }
  const dropped = await dropMonths(bench.database, RETENTION);

  // One round without waiting writers suffices, because a lock may last longer on a busy machine. If the
  // reader blocked the writers, they would wait in every round.
  expect(ends).toContainEqual(['in time', 'in time']);
  expect(dropped).toContain(`dropped ${monthOf('deliveries', startOfMonth(1 - MONTHS))}`);
});
