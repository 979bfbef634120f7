import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import { doneThenSilence, eventually, holding, silence } from '@plataforma/testing';
import { newOrder } from './support/client.ts';
import type { Operation } from './support/fake-pix.ts';
import { newTenant } from './support/identity.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;
let doomed: ServiceProcess;

beforeAll(async () => {
  world = await startWorld();
  await world.first.stop();
});
afterEach(() => doomed.kill());
afterAll(() => world.stop());

/** Kills the process while it waits for the provider's answer to `operation`, which is met by `behaviour`. */
async function killDuring(
  operation: Operation,
  behaviour: Behaviour,
  work: () => Promise<unknown>,
): Promise<void> {
  const met = Promise.withResolvers<void>();
  world.provider.next(operation, async (perform) => {
    const reply = await behaviour(perform);
    met.resolve();
    return reply;
  });
  const working = work().catch(() => 'the connection broke');
  await met.promise;
  await doomed.kill();
  expect(await working).toBe('the connection broke');
}

describe('a process killed', () => {
  test.each<[string, Behaviour]>([
    ['before the provider heard of it', silence],
    ['after the provider had it', doneThenSilence],
  ])('while it creates a charge, %s, leaves a charge that another finishes', async (_what, behaviour) => {
    doomed = await startServiceProcess(world.env);
    const tenant = newTenant();
    const order = newOrder();
    await killDuring('create', behaviour, () => doomed.client.create(tenant, order));
    const [row] = await world.database.query('SELECT id, txid FROM charges WHERE external_id = $1', [
      order.externalId,
    ]);

    const successor = await world.startReplica({ leaseMs: 300 });
    const { id, txid } = { id: String(row?.id), txid: String(row?.txid) };
    await eventually(async () =>
      expect(await successor.client.charge(tenant, id)).toMatchObject({ qrCode: expect.any(String) }),
    );

    const again = await successor.client.create(tenant, order);
    expect([again.status, again.data]).toMatchObject([200, { id, txid, status: 'PENDING' }]);
    expect(world.provider.book.find(txid)).toMatchObject({ status: 'ATIVA' });
    await successor.stop();
  });

  test('while it cancels a charge the provider has removed leaves it to be cancelled again', async () => {
    doomed = await startServiceProcess(world.env);
    const tenant = newTenant();
    const { id } = await doomed.client.newCharge(tenant);

    await killDuring('remove', doneThenSilence, () => doomed.client.cancel(tenant, id));

    const successor = await world.startReplica();
    expect((await successor.client.charge(tenant, id)).status).toBe('PENDING');
    expect((await successor.client.cancel(tenant, id)).status).toBe(200);
    expect((await successor.client.charge(tenant, id)).status).toBe('CANCELLED');
    await successor.stop();
  });

  test('while it confirms a payment leaves it to the next notice', async () => {
    doomed = await startServiceProcess(world.env);
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

  test('while it expires a charge leaves it to whoever looks next', async () => {
    doomed = await startServiceProcess(world.env);
    const tenant = newTenant();
    const { id } = await doomed.client.newCharge(tenant);

    await killDuring('read', doneThenSilence, async () => {
      await world.letTimeRunOut(id);
      throw new Error('nobody waits for the clock');
    });

    const successor = await world.startReplica();
    await eventually(async () => expect((await successor.client.charge(tenant, id)).status).toBe('EXPIRED'));
    expect(await world.eventsOf(id)).toMatchObject([{ type: 'charge.expired', sequence: 1 }]);
    await successor.stop();
  });
});

describe('a process told to stop', () => {
  test('finishes what runs, and then ends', async () => {
    doomed = await startServiceProcess(world.env);
    const held = holding();
    world.provider.next('create', held.behaviour);
    const creating = doomed.client.create(newTenant(), newOrder());
    await held.arrived;

    const ended = doomed.terminate();
    setTimeout(held.release, 300);

    expect((await creating).status).toBe(201);
    expect(await ended).toBe(0);
  });
});
