import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { type Behaviour, doneThenSilence, eventually, silence } from '@plataforma/testing';
import { type CardWorld, startCardWorld } from '../support/card-world.ts';
import { type Client, newOrder } from '../support/client.ts';
import { newTenant } from '../support/identity.ts';
import { repeatable, saidIn } from '../support/keyed.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let world: CardWorld;
let doomed: ServiceProcess;

beforeAll(async () => {
  world = await startCardWorld();
  await world.first.stop();
});
afterEach(() => doomed.kill());
afterAll(() => world.stop());

const path = '/v1/charges';
const created = api.createCharge.data;

/** Kills the process once somebody has met its request with `behaviour`. */
async function killWhen(
  meet: (behaviour: Behaviour) => void,
  behaviour: Behaviour,
  ask: (client: Client) => Promise<unknown>,
): Promise<void> {
  const met = Promise.withResolvers<void>();
  meet(async (perform) => {
    const reply = await behaviour(perform);
    met.resolve();
    return reply;
  });
  const asking = ask(doomed.client).catch(() => 'the connection broke');
  await met.promise;
  await doomed.kill();
  expect(await asking).toBe('the connection broke');
}

/** Kills the process while the first step of its request waits for the key to be written down. */
async function killBeforeTheRecord(ask: (client: Client) => Promise<unknown>): Promise<void> {
  const locked = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const blocking = world.database.transaction(async (tx) => {
    await tx.query('LOCK TABLE idempotency_keys IN SHARE MODE');
    locked.resolve();
    await killed.promise;
  });
  await locked.promise;
  const asking = ask(doomed.client).catch(() => 'the connection broke');
  const waiting = `
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await eventually(async () => expect((await world.database.query(waiting, [])).length).toBeGreaterThan(0));
  await doomed.kill();
  killed.resolve();
  await blocking;
  expect(await asking).toBe('the connection broke');
}

const atPix = (behaviour: Behaviour) => world.provider.next('create', behaviour);
const atAcquirer = (behaviour: Behaviour) => world.acquirer.next('pay', behaviour);

describe('a process killed while it creates a charge with a key', () => {
  test.each<[string, Behaviour]>([
    ['before the provider heard of it', silence],
    ['after the provider had it', doneThenSilence],
  ])('by Pix, %s, leaves one that the same request goes on with', async (_when, behaviour) => {
    doomed = await startServiceProcess(world.env);
    const order = newOrder();
    const ask = repeatable({ tenant: newTenant(), path, body: order });
    await killWhen(atPix, behaviour, ask);
    const attempts = await world.attemptsOf(order.externalId);

    const successor = await world.startReplica();
    const answers = [await ask(successor.client), await ask(successor.client)];

    expect(answers.map(({ status, isReplay }) => [status, isReplay])).toEqual([
      [201, false],
      [201, true],
    ]);
    expect(answers.map(({ data }) => created.parse(data).id)).toEqual([attempts[0]?.id, attempts[0]?.id]);
    expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
    await successor.stop();
  });

  test('by Pix, before anything is written down, leaves nothing behind', async () => {
    doomed = await startServiceProcess(world.env);
    const order = newOrder();
    const ask = repeatable({ tenant: newTenant(), path, body: order });
    await killBeforeTheRecord(ask);

    const attempts = await world.attemptsOf(order.externalId);
    const successor = await world.startReplica();

    expect(attempts).toEqual([]);
    expect(await ask(successor.client)).toMatchObject({ status: 201, isReplay: false });
    await successor.stop();
  });

  test.each<[string, Behaviour]>([
    ['before the acquirer heard of it', silence],
    ['after the acquirer had it', doneThenSilence],
  ])(
    'by card, %s, leaves one that the same request tells of, and the card is charged once',
    async (_when, behaviour) => {
      doomed = await startServiceProcess(world.env);
      const card = world.newCard();
      const order = world.orderWith(card);
      const ask = repeatable({ tenant: world.newShop(), path, body: order });
      await killWhen(atAcquirer, behaviour, ask);
      const attempts = await world.attemptsOf(order.externalId);

      const successor = await world.startReplica();
      await world.letPass(order.externalId, 5);
      const first = await ask(successor.client);
      const again = await ask(successor.client);

      expect([first.status, first.isReplay, again.isReplay]).toEqual([201, false, true]);
      expect(saidIn(again)).toEqual(saidIn(first));
      expect(created.parse(first.data)).toMatchObject({ id: attempts[0]?.id, status: 'PAID' });
      expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'paid', canceledAmount: 0 }]);
      expect(await world.eventsOf(attempts[0]?.id ?? '')).toHaveLength(1);
      await successor.stop();
    },
  );
});
