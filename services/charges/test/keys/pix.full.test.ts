import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { doneThenReset, error500, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { newTenant } from '../support/identity.ts';
import { expectOneAnswer, repeatable, saidIn } from '../support/keyed.ts';
import { startWorld } from '../support/world.ts';

// The scheduler is idle, so that only requests resume work.
const world = worldOfFile(() => startWorld({ tuning: { scheduleEveryMs: 3_600_000 } }));
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(20);
const created = api.createCharge.data;
const path = '/v1/charges';

describe('a Pix charge repeated with the same key', () => {
  test('gets the same answer even after a cancellation', async () => {
    const tenant = newTenant();
    const ask = repeatable({ tenant, path, body: newOrder() });
    const first = await ask(world.client);
    const { id } = created.parse(first.data);
    await world.client.cancel(tenant, id);
    const requestsBefore = world.provider.requests.length;

    const again = await ask(second.client);

    expect([first.status, first.isReplay, again.isReplay]).toEqual([201, false, true]);
    expect(saidIn(again)).toEqual(saidIn(first));
    expect(world.provider.requests).toHaveLength(requestsBefore);
    expect((await world.client.charge(tenant, id)).status).toBe('CANCELLED');
  });

  test('is an IDEMPOTENCY_CONFLICT with another body', async () => {
    const [tenant, order, key] = [newTenant(), newOrder(), 'one key'];
    await repeatable({ tenant, path, body: order }, key)(world.client);

    const other = await repeatable({ tenant, path, body: { ...order, description: 'b' } }, key)(world.client);

    expect([other.status, other.error?.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
  });

  test('continues its first charge after a provider failure', async () => {
    const order = newOrder();
    const ask = repeatable({ tenant: newTenant(), path, body: order });
    world.provider.next('create', error500);
    const failed = await ask(world.client);
    const [begun] = await world.attemptsOf(order.externalId);

    const again = await ask(second.client);
    const later = await ask(world.client);

    expect([failed.status, failed.error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect([again.status, again.isReplay]).toEqual([201, false]);
    expect(created.parse(again.data)).toMatchObject({ id: begun?.id, qrCode: expect.any(String) });
    expect([saidIn(later), later.isReplay]).toEqual([saidIn(again), true]);
    expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
  });

  test('gets 201 even when another request completed the charge', async () => {
    const order = newOrder();
    const tenant = newTenant();
    const ask = repeatable({ tenant, path, body: order });
    world.provider.next('create', doneThenReset);
    await ask(world.client);
    await world.client.create(tenant, order);

    const again = await ask(world.client);

    expect([again.status, again.isReplay]).toEqual([201, false]);
    expect(created.parse(again.data).qrCode).toEqual(expect.any(String));
  });
});

describe('an externalId', () => {
  test('sent with a new key returns the existing charge', async () => {
    const tenant = newTenant();
    const order = newOrder();
    const first = await repeatable({ tenant, path, body: order })(world.client);
    const ask = repeatable({ tenant, path, body: order });

    const answers = [await ask(world.client), await ask(second.client)];

    expect(answers.map(({ status, isReplay }) => [status, isReplay])).toEqual([
      [200, false],
      [200, true],
    ]);
    expect(answers.map(({ data }) => data)).toEqual([first.data, first.data]);
  });

  test('of another order is refused and leaves the key free', async () => {
    const tenant = newTenant();
    const order = newOrder();
    await world.client.create(tenant, order);
    const key = 'mended later';

    const wrong = await repeatable({ tenant, path, body: { ...order, amount: 9900 } }, key)(world.client);
    const mended = await repeatable({ tenant, path, body: newOrder({ amount: 9900 }) }, key)(world.client);

    expect([wrong.status, wrong.error?.code]).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
    expect(mended.status).toBe(201);
  });
});

describe('concurrent copies of a keyed Pix order at two replicas', () => {
  test(`make one charge: 20, then ${ROUNDS} times 6 copies`, async () => {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const order = newOrder();
      const ask = repeatable({ tenant: newTenant(), path, body: order });

      const last = await expectOneAnswer([world.client, second.client], ask, round === 0 ? 20 : 6);

      expect(last.status).toBe(201);
      expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
    }
  });
});
