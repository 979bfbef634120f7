import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { doneThenReset, error500, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { newTenant } from '../support/identity.ts';
import { expectOneAnswer, repeatable, saidIn } from '../support/keyed.ts';
import { startWorld } from '../support/world.ts';

// Without a clock: what goes on here, a request has gone on with.
const world = worldOfFile(() => startWorld({ tuning: { scheduleEveryMs: 3_600_000 } }));
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(20);
const created = api.createCharge.data;
const path = '/v1/charges';

describe('a Pix charge that is asked for again with the same key', () => {
  test('is answered as the first time, though it was cancelled since, and the provider is not asked', async () => {
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

  test('and another body is an IDEMPOTENCY_CONFLICT', async () => {
    const [tenant, order, key] = [newTenant(), newOrder(), 'one key'];
    await repeatable({ tenant, path, body: order }, key)(world.client);

    const other = await repeatable({ tenant, path, body: { ...order, description: 'b' } }, key)(world.client);

    expect([other.status, other.error?.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
  });

  test('goes on with the one that was begun when the provider did not answer', async () => {
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

  test('is new for its sender even if the one that was begun had its code already', async () => {
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
  test('sent with a new key is the charge that exists, whenever that key comes again', async () => {
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

  test('that is another order’s is refused, and the key stays free for the mended request', async () => {
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

describe('the same request at once, at two replicas', () => {
  test(`makes one charge and has one answer: 20 at once, then 6 at once ${ROUNDS} times`, async () => {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const order = newOrder();
      const ask = repeatable({ tenant: newTenant(), path, body: order });

      const last = await expectOneAnswer([world.client, second.client], ask, round === 0 ? 20 : 6);

      expect(last.status).toBe(201);
      expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
    }
  });
});
