import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { callerTo, worldOfFile } from '@plataforma/testing/world';
import { forgetOld } from '../../src/operations/forget-old.ts';
import { paid } from '../support/emitter.ts';
import { faultCalls, faultedShop, isGenuine, settledStories } from '../support/faults.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { startWorld } from '../support/world.ts';

const retention = { eventRetentionDays: 30, deliveryRetentionDays: 30 };
const retryDelaysMs = [20, 20, 20, 20, 20];
const world = worldOfFile(() => startWorld({ retryDelaysMs, forgetEveryMs: 3_600_000 }));

const forget = (now = new Date()) => forgetOld(world.database, retention, now);
const isMarked = async (configId: string) => {
  const text = 'SELECT is_faulted FROM configurations WHERE id = $1';
  const [row] = await world.database.query<{ is_faulted: boolean }>(text, [configId]);
  return row?.is_faulted;
};

test('two replicas use each fault once, and all faults', async () => {
  await world.startReplica({ retryDelaysMs, forgetEveryMs: 3_600_000 });
  const requested = [
    { kind: 'drop', count: 13 },
    { kind: 'bad_signature', count: 1 },
    { kind: 'drop', count: 16 },
  ];
  const { tenant, secret, shop } = await faultedShop(world, requested);
  shop.answer((delivery) => ({ status: isGenuine(delivery, secret) ? 200 : 401 }));

  await Promise.all(
    Array.from({ length: 5 }, () => world.emitter.announce(...Array.from({ length: 8 }, () => paid(tenant)))),
  );
  const stories = await settledStories(world, tenant, 40);

  const met = stories.flatMap(({ attempts }) => attempts.flatMap(({ fault }) => fault ?? []));
  expect(met.toSorted()).toEqual(['bad_signature', ...Array(29).fill('drop')]);
  expect(stories.every(({ status }) => status === 'SUCCEEDED')).toBe(true);
  expect(await faultCalls(world).left(tenant)).toEqual([]);
});

test('after a kill, the next sender uses the unrecorded fault again', async () => {
  const alone = await startWorld({ retryDelaysMs });
  const { tenant, secret, shop } = await faultedShop(alone, [{ kind: 'bad_signature', count: 2 }]);
  shop.answer((delivery) => {
    if (shop.deliveries.length === 1) return { status: 200, delayMs: 60_000 };
    return { status: isGenuine(delivery, secret) ? 200 : 401 };
  });
  await alone.first.stop();
  const victim = await startServiceProcess(alone.env, { tuning: { leaseMs: 1_500, retryDelaysMs } });
  await alone.emitter.announce(paid(tenant));
  await eventually(() => expect(shop.deliveries).toHaveLength(1));

  await victim.kill();
  const heir = await alone.startReplica({ retryDelaysMs });
  const client = { client: callerTo(heir.url) };
  const [story] = await settledStories(client, tenant, 1);

  expect(story?.attempts.map(({ statusCode, fault }) => [statusCode, fault])).toEqual([
    [401, 'bad_signature'],
    [401, 'bad_signature'],
    [200, null],
  ]);
  const genuine = shop.deliveries.map((delivery) => isGenuine(delivery, secret));
  expect(genuine).toEqual([false, false, false, true]);
  expect(await faultCalls(client).left(tenant)).toEqual([]);
  await alone.stop();
});

describe('a webhook with used-up faults', () => {
  test('is no longer checked for faults once no attempt needs it', async () => {
    const { tenant, configId, shop } = await faultedShop(world, [{ kind: 'duplicate' }]);
    const answer = Promise.withResolvers<{ status: number }>();
    shop.answer(() => answer.promise);
    await forget();
    const whileLeft = await isMarked(configId);
    await world.emitter.announce(paid(tenant));
    await eventually(() => expect(shop.deliveries).toHaveLength(2));
    await forget();
    const whileSent = await isMarked(configId);

    answer.resolve({ status: 200 });
    await settledStories(world, tenant, 1);
    await forget();

    expect([whileLeft, whileSent, await isMarked(configId)]).toEqual([true, true, false]);
  });

  test('shows the faults of attempts as long as their deliveries', async () => {
    const { tenant } = await faultedShop(world, [{ kind: 'drop' }]);
    await world.emitter.announce(paid(tenant));
    const [before] = await settledStories(world, tenant, 1);
    const old = new Date(Date.now() + 1_000 * 86_400_000);

    await forget(old);
    const [after] = await settledStories(world, tenant, 1);
    expect([before, after].map((story) => story?.attempts.map(({ fault }) => fault))).toEqual([
      ['drop', null],
      ['drop', null],
    ]);

    const { database } = world;
    await database.query('DELETE FROM deliveries WHERE id = $1', [before?.id]);
    const met = () => database.query('SELECT FROM applied_faults WHERE delivery_id = $1', [before?.id]);
    expect(await met()).toHaveLength(1);
    await forget(old);
    expect(await met()).toEqual([]);
  });
});
