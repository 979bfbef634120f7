import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Behaviour } from '@plataforma/testing';
import { blocking, doneThenSilence, eventually, silence } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { holdLock, killAt, met } from './support/crashes.ts';
import type { Operation } from './support/fake-pix.ts';
import { newTenant } from './support/identity.ts';
import { repeatable } from './support/keyed.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
let doomed: ServiceProcess;

beforeAll(() => world.first.stop());
beforeEach(async () => {
  doomed = await startServiceProcess(world.env);
});
afterEach(() => doomed.kill());

const created = api.createCharge.data;

/**
 * Kills the process while it waits for the provider's answer to `operation`. The provider handles the request
 * with `behaviour`.
 */
const killDuring = (operation: Operation, behaviour: Behaviour, work: () => Promise<unknown>) =>
  killAt(
    met((meeting) => world.provider.next(operation, meeting), behaviour),
    doomed,
    work,
  );

describe.each<[string, Behaviour]>([
  ['before the provider received it', silence],
  ['after the provider received it', doneThenSilence],
])('a process killed while it creates a charge, %s,', (_what, behaviour) => {
  test('leaves a charge that another replica finishes', async () => {
    const tenant = newTenant();
    const order = newOrder();
    await killDuring('create', behaviour, () => doomed.client.create(tenant, order));
    const [{ id } = { id: '' }] = await world.attemptsOf(order.externalId);

    const successor = await world.startReplica({ leaseMs: 300 });
    await eventually(async () =>
      expect(await successor.client.charge(tenant, id)).toMatchObject({ qrCode: expect.any(String) }),
    );

    const again = await successor.client.create(tenant, order);
    expect([again.status, again.data]).toMatchObject([200, { id, status: 'PENDING' }]);
    expect(world.provider.book.find(id.replaceAll('-', ''))).toMatchObject({ status: 'ATIVA' });
    await successor.stop();
  });

  test('leaves a charge that the same keyed request continues', async () => {
    const order = newOrder();
    const ask = repeatable({ tenant: newTenant(), path: '/v1/charges', body: order });
    await killDuring('create', behaviour, () => ask(doomed.client));
    const stored = await world.attemptsOf(order.externalId);

    const successor = await world.startReplica();
    const answers = [await ask(successor.client), await ask(successor.client)];

    expect(answers.map(({ status, isReplay }) => [status, isReplay])).toEqual([
      [201, false],
      [201, true],
    ]);
    expect(answers.map(({ data }) => created.parse(data).id)).toEqual([stored[0]?.id, stored[0]?.id]);
    expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
    await successor.stop();
  });
});

describe('a process killed', () => {
  test('before storing a key and its charge leaves nothing', async () => {
    const order = newOrder();
    const ask = repeatable({ tenant: newTenant(), path: '/v1/charges', body: order });
    const lock = await holdLock(world.database, 'LOCK TABLE idempotency_keys IN SHARE MODE');
    await killAt(lock.isAwaited(), doomed, () => ask(doomed.client));
    await lock.release();

    const stored = await world.attemptsOf(order.externalId);
    const successor = await world.startReplica();

    expect(stored).toEqual([]);
    expect(await ask(successor.client)).toMatchObject({ status: 201, isReplay: false });
    await successor.stop();
  });

  test('during a cancellation leaves the charge to be cancelled again', async () => {
    const tenant = newTenant();
    const { id } = await doomed.client.newCharge(tenant);

    await killDuring('remove', doneThenSilence, () => doomed.client.cancel(tenant, id));

    const successor = await world.startReplica();
    expect((await successor.client.charge(tenant, id)).status).toBe('PENDING');
    expect((await successor.client.cancel(tenant, id)).status).toBe(200);
    expect((await successor.client.charge(tenant, id)).status).toBe('CANCELLED');
    await successor.stop();
  });

  test('while confirming a payment leaves it to the next callback', async () => {
    const tenant = newTenant();
    const { id, txid } = await doomed.client.newCharge(tenant);
    world.provider.book.pay(txid);

    await killDuring('read', doneThenSilence, () => doomed.client.notify(txid));

    const successor = await world.startReplica();
    await Promise.all([successor.client.notify(txid), successor.client.notify(txid)]);
    expect((await successor.client.charge(tenant, id)).status).toBe('PAID');
    expect(await world.eventsOf(id)).toHaveLength(1);
    await successor.stop();
  });

  test('while expiring a charge leaves it to the next check', async () => {
    const tenant = newTenant();
    const { id } = await doomed.client.newCharge(tenant);

    await killDuring('read', doneThenSilence, async () => {
      await world.letTimeRunOut(id);
      throw new Error('the scheduler checks the charge without a request');
    });

    const successor = await world.startReplica();
    await eventually(async () => expect((await successor.client.charge(tenant, id)).status).toBe('EXPIRED'));
    expect(await world.eventsOf(id)).toMatchObject([{ type: 'charge.expired', sequence: 1 }]);
    await successor.stop();
  });
});

test('a stopping process finishes its requests and then ends', async () => {
  const blocked = blocking();
  world.provider.next('create', blocked.behaviour);
  const creating = doomed.client.create(newTenant(), newOrder());
  await blocked.arrived;

  const ended = doomed.terminate();
  setTimeout(blocked.release, 300);

  expect((await creating).status).toBe(201);
  expect(await ended).toBe(0);
});
