import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { eventually, type FakeMerchant } from '@plataforma/testing';
import { startWebhooks } from '../src/service.ts';
import { callsTo } from './support/calls.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld, type World } from './support/world.ts';

const otherKeys = `second:${Buffer.alloc(32, 9).toString('base64')}`;

const LONG_TIMEOUTS = { leaseMs: 20_000, drainMs: 8_000 };

let world: World;
let shop: FakeMerchant;
let tenant: Tenant;
let id: string;

beforeEach(async () => {
  world = await startWorld({ leaseMs: 500, drainMs: 100 });
  shop = await world.startMerchant();
  tenant = newTenant();
  ({ id } = await world.configure(tenant, { url: shop.url }));
});
afterEach(() => world.stop());

/** Returns the only delivery, with the number of its recorded attempts. */
async function recorded(): Promise<Record<string, unknown> | undefined> {
  const [row] = await world.database.query(
    `SELECT d.status, d.attempts, d.lease_token, (SELECT count(*) FROM delivery_attempts) AS recorded
     FROM deliveries d`,
  );
  return row;
}

async function leaseToken(): Promise<unknown> {
  const row = await recorded();
  expect(row?.lease_token).toEqual(expect.any(String));
  return row?.lease_token;
}

test('a replica without the secret’s key leaves the attempt to another', async () => {
  await world.first.stop();
  const keyless = await startWebhooks({ ...world.env, WEBHOOK_SECRET_KEYS: otherKeys }, { leaseMs: 300 });
  await world.emitter.announce(paid(tenant));
  const before = await eventually(leaseToken);
  await eventually(async () => expect(await leaseToken()).not.toBe(before));
  const meanwhile = await recorded();
  await keyless.stop();

  await world.startReplica(LONG_TIMEOUTS);
  await eventually(async () => expect(await recorded()).toMatchObject({ status: 'SUCCEEDED' }));

  expect(meanwhile).toMatchObject({ status: 'PENDING', attempts: 0, recorded: 0 });
  expect(await recorded()).toMatchObject({ attempts: 1, recorded: 1 });
  expect(shop.deliveries).toHaveLength(1);
});

test('a process that pauses during an attempt repeats it without counting', async () => {
  await world.first.stop();
  await world.startReplica({ leaseMs: 4_000, attemptTimeoutMs: 2_000 });
  shop.answer(() => {
    if (shop.deliveries.length > 1) return { status: 200 };
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
    return { status: 200, delayMs: 60_000 };
  });

  await world.emitter.announce(paid(tenant));
  await eventually(async () => expect(await recorded()).toMatchObject({ status: 'SUCCEEDED' }));

  expect(await recorded()).toMatchObject({ attempts: 1, recorded: 1 });
  expect(shop.deliveries).toHaveLength(2);
});

test('a late result does not change a delivery of a deleted webhook', async () => {
  const { promise, resolve } = Promise.withResolvers<{ status: number }>();
  shop.answer(() => promise);
  await world.emitter.announce(paid(tenant));
  await eventually(() => expect(shop.deliveries).toHaveLength(1));

  await callsTo(world)(tenant, `DELETE /${id}`);
  const ended = { status: 'FAILED', attempts: 0, recorded: 0, lease_token: null };
  await eventually(async () => expect(await recorded()).toMatchObject(ended));
  resolve({ status: 200 });
  // `stop` waits for all running work and records its results.
  await world.first.stop();

  expect(await recorded()).toMatchObject(ended);
});

test('a result that arrives while the database is away is recorded once', async () => {
  const drop = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  shop.answer(async () => {
    if (shop.deliveries.length === 1) await world.database.query(drop);
    return { status: 200, body: 'dropped' };
  });

  await world.emitter.announce(paid(tenant));
  await eventually(async () => expect(await recorded()).toMatchObject({ status: 'SUCCEEDED', attempts: 1 }));

  expect(await recorded()).toMatchObject({ recorded: 1 });
  expect(new Set(shop.deliveries.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
});
