import { describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { openAt, worldOfFile } from '@plataforma/testing/world';
import { type Result, recordResults } from '../../src/store/deliveries.ts';
import { type EndpointHealth, listEndpoints } from '../../src/store/endpoint-health.ts';
import { deliveryOf, leasedWith } from '../support/history.ts';
import { newTenant } from '../support/identity.ts';
import { startWorld } from '../support/world.ts';

const world = worldOfFile(startWorld);

interface Shop {
  tenant: Tenant;
  id: string;
}

async function shop(): Promise<Shop> {
  const tenant = newTenant();
  const { id } = await world.configure(tenant, { url: 'https://shop.example/hook' });
  return { tenant, id };
}

async function healthOf({ tenant: { merchantId } }: Shop): Promise<EndpointHealth> {
  const { items } = await listEndpoints(world.database, { merchantId, page: 1, limit: 1 });
  const [health] = items;
  if (!health) throw new Error('the merchant has no endpoint');
  return health;
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe('senders that record results', () => {
  const ROUNDS = rounds(20);

  test('at the same time count every attempt without deadlock', async () => {
    const shops = [await shop(), await shop(), await shop()];

    for (let round = 0; round < ROUNDS; round += 1) {
      const [some, others] = [await failed(shops), await failed(shops.toReversed())];
      await Promise.all([recordResults(world.database, some), recordResults(world.database, others)]);
    }

    for (const each of shops) {
      const { attempts24h, failuresInARow } = await healthOf(each);
      expect([attempts24h, failuresInARow]).toEqual([2 * ROUNDS, 2 * ROUNDS]);
    }
  });

  test('with an expired lease count nothing', async () => {
    const one = await shop();
    const results = await failed([one]);

    await recordResults(world.database, results);
    await recordResults(world.database, results);

    expect(await healthOf(one)).toMatchObject({ attempts24h: 1, failuresInARow: 1 });
  });

  test('read only their own deliveries, even with an old plan', async () => {
    const application = openAt(world.env.DATABASE_URL ?? '', 1);
    const one = await shop();
    await recordResults(application, await failed([one]));
    const many = Array.from({ length: 50 }, () => failed([one]));
    const [result = []] = await Promise.all(many);

    const read = await application.transaction(async (tx) => {
      await recordResults(tx, result);
      return tx.queryUnprepared(
        `SELECT sum(seq_tup_read)::int AS scanned, sum(idx_tup_fetch) < 10 AS "isOwn",
           count(*) FILTER (WHERE idx_scan > 0)::int AS months
         FROM pg_stat_xact_user_tables WHERE relname ~ '^deliveries_\\d+$'`,
        [],
      );
    });

    await application.close();
    expect(read).toEqual([{ scanned: 0, isOwn: true, months: 1 }]);
  });

  test('in one batch for an endpoint show the latest result', async () => {
    const one = await shop();
    const [first, second, third] = [minutesAgo(3), minutesAgo(2), minutesAgo(1)];
    const outcomes = [
      { at: third.toISOString(), failure: 'timeout' as const },
      { at: first.toISOString(), statusCode: 500 },
      { at: second.toISOString(), statusCode: 200 },
    ];

    const results = outcomes.map(async (outcome) => {
      const { id: deliveryId } = await deliveryOf(world.database, one.tenant, { configurationId: one.id });
      return leasedWith(world.database, { deliveryId, ...outcome });
    });
    await recordResults(world.database, await Promise.all(results));

    expect(await healthOf(one)).toMatchObject({
      lastAttemptAt: third,
      lastSuccessAt: second,
      lastError: 'timeout',
      failuresInARow: 1,
      attempts24h: 3,
      successes24h: 1,
    });
  });
});

/**
 * Creates one delivery for each merchant, in the order of `shops`. Returns the result of a failed attempt for
 * each delivery.
 */
async function failed(shops: Shop[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const { tenant, id: configurationId } of shops) {
    const { id: deliveryId } = await deliveryOf(world.database, tenant, { configurationId });
    results.push(await leasedWith(world.database, { deliveryId, statusCode: 500 }));
  }
  return results;
}
