import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { type Answer, eventually, type FakeMerchant } from '@plataforma/testing';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startServiceProcess } from './support/service-process.ts';
import { startWorld, type World } from './support/world.ts';

/**
 * Long times, so that no lease ends during a request on a busy machine. After the end of the lease, the
 * service would rightly send the request again.
 */
const LONG_TIMEOUTS = { leaseMs: 20_000, drainMs: 8_000 };

let world: World;
let shop: FakeMerchant;
let tenant: Tenant;

beforeEach(async () => {
  world = await startWorld({ leaseMs: 700, drainMs: 1_000 });
  shop = await world.startMerchant();
  tenant = newTenant();
  await world.configure(tenant, { url: shop.url });
});
afterEach(() => world.stop());

function answers(answer: (nth: number) => Answer): void {
  shop.answer((delivery) => answer(shop.deliveries.indexOf(delivery) + 1));
}

const firstHangs = (nth: number): Answer => ({ status: 200, delayMs: nth === 1 ? 60_000 : 0 });
const received = (count: number) => eventually(() => expect(shop.deliveries).toHaveLength(count));

function recorded(): Promise<Record<string, unknown>[]> {
  return world.database.query(
    `SELECT d.status, d.attempts, a.number, a.status_code
     FROM deliveries d LEFT JOIN delivery_attempts a ON a.delivery_id = d.id`,
  );
}

const idsSeen = () => new Set(shop.deliveries.map(({ headers }) => headers['x-webhook-id']));

test('a sender beyond its lease is replaced, its late result ignored', async () => {
  const late = Promise.withResolvers<Answer>();
  shop.answer(() => (shop.deliveries.length === 1 ? late.promise : { status: 200 }));
  await world.emitter.announce(paid(tenant));
  await received(1);

  await world.startReplica(LONG_TIMEOUTS);
  await eventually(async () => expect(await recorded()).toMatchObject([{ status: 'SUCCEEDED' }]));
  late.resolve({ status: 500 });
  // `stop` waits for all running work and records its results.
  await world.first.stop();

  expect([shop.deliveries.length, idsSeen().size]).toEqual([2, 1]);
  expect(await recorded()).toEqual([{ status: 'SUCCEEDED', attempts: 1, number: 1, status_code: 200 }]);
});

test('a process killed during a request loses no delivery or attempt', async () => {
  answers(firstHangs);
  await world.first.stop();
  const victim = await startServiceProcess(world.env, { tuning: { leaseMs: 1_500 } });
  await world.emitter.announce(paid(tenant));
  await received(1);

  await victim.kill();
  await world.startReplica(LONG_TIMEOUTS);
  await eventually(async () => expect(await recorded()).toMatchObject([{ status: 'SUCCEEDED' }]));

  expect([shop.deliveries.length, idsSeen().size]).toEqual([2, 1]);
  expect(await recorded()).toEqual([{ status: 'SUCCEEDED', attempts: 1, number: 1, status_code: 200 }]);
});

describe('a stop of a sender', () => {
  /** Replaces the first replica by a replica with this tuning. */
  const onlyOne = async (tuning: { drainMs?: number }) => {
    await world.first.stop();
    return world.startReplica({ ...LONG_TIMEOUTS, ...tuning });
  };

  test('waits for running requests and records their results', async () => {
    const sender = await onlyOne({});
    const { promise, resolve } = Promise.withResolvers<Answer>();
    shop.answer(() => promise);
    await world.emitter.announce(paid(tenant));
    await received(1);

    const stopping = sender.stop();
    resolve({ status: 200 });
    await stopping;

    expect(await recorded()).toEqual([{ status: 'SUCCEEDED', attempts: 1, number: 1, status_code: 200 }]);
  });

  test('releases unfinished deliveries without counting an attempt', async () => {
    const sender = await onlyOne({ drainMs: 1_000 });
    answers(firstHangs);
    await world.emitter.announce(paid(tenant));
    await received(1);

    await sender.stop();
    const [left] = await world.database.query(
      'SELECT status, attempts, lease_token, due_at <= now() AS due FROM deliveries',
    );
    await world.startReplica(LONG_TIMEOUTS);
    await received(2);

    expect(left).toEqual({ status: 'PENDING', attempts: 0, lease_token: null, due: true });
    expect(idsSeen().size).toBe(1);
  });
});

test('two replicas share the deliveries and send each once', async () => {
  await world.first.stop();
  const lasting = { attemptTimeoutMs: 60_000, leaseMs: 120_000 };
  await Promise.all([world.startReplica(lasting), world.startReplica(lasting)]);

  for (let i = 0; i < 10; i += 1) {
    await world.emitter.announce(...Array.from({ length: 40 }, () => paid(tenant)));
  }
  await eventually(async () => {
    const done = (await recorded()).filter((row) => row.status === 'SUCCEEDED');
    expect(done).toHaveLength(400);
  });

  expect([shop.deliveries.length, idsSeen().size]).toEqual([400, 400]);
});

test('a database that repeatedly drops connections loses no delivery', async () => {
  const drop = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await world.emitter.announce(...Array.from({ length: 200 }, () => paid(tenant)));
  await eventually(() => expect(shop.deliveries.length).toBeGreaterThan(0));

  for (let i = 0; i < 5; i += 1) {
    await world.database.query(drop);
    await new Promise((passed) => setTimeout(passed, 50));
  }
  await eventually(async () => {
    const rows = await recorded();
    expect(rows.filter((row) => row.status === 'SUCCEEDED')).toHaveLength(200);
  });

  expect(idsSeen().size).toBe(200);
  expect((await recorded()).every((row) => row.attempts === 1)).toBe(true);
});
