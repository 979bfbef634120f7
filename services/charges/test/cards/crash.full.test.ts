import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Behaviour } from '@plataforma/testing';
import { doneThenReset, doneThenSilence, eventually, holding, silence } from '@plataforma/testing';
import { patiently } from '@plataforma/testing/world';
import { type CardWorld, startCardWorld } from '../support/card-world.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let world: CardWorld;
let doomed: ServiceProcess;

beforeAll(async () => {
  world = await startCardWorld();
  await world.first.stop();
});
afterEach(() => doomed.kill());
afterAll(() => world.stop());

const created = api.createCharge.data;

/** Kills the process while it waits for the acquirer's answer to `operation`, which is met by `behaviour`. */
async function killDuring(
  operation: 'pay' | 'cancel',
  behaviour: Behaviour,
  work: () => Promise<unknown>,
): Promise<void> {
  const met = Promise.withResolvers<void>();
  world.acquirer.next(operation, async (perform) => {
    const reply = await behaviour(perform);
    met.resolve();
    return reply;
  });
  const working = work().catch(() => 'the connection broke');
  await met.promise;
  await doomed.kill();
  expect(await working).toBe('the connection broke');
}

/** Kills the process when it has the acquirer's answer and is about to write it down. */
async function killBeforeTheRecord(work: () => Promise<unknown>): Promise<void> {
  const locked = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  world.acquirer.next('pay', async (perform) => {
    const reply = perform();
    await locked.promise;
    return reply;
  });
  const working = work().catch(() => 'the connection broke');
  await eventually(() => expect(world.acquirer.requests.at(-1)?.operation).toBe('pay'));
  const code = world.acquirer.requests.at(-1)?.about;
  const blocking = world.database.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM charges WHERE id = $1 FOR UPDATE', [code]);
    locked.resolve();
    await killed.promise;
  });
  const waiting = `
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await eventually(async () => expect((await world.database.query(waiting, [])).length).toBeGreaterThan(0));
  await doomed.kill();
  killed.resolve();
  await blocking;
  expect(await working).toBe('the connection broke');
}

const deaths: [string, (work: () => Promise<unknown>) => Promise<void>][] = [
  ['before the acquirer heard of it', (work) => killDuring('pay', silence, work)],
  ['after the acquirer had it', (work) => killDuring('pay', doneThenSilence, work)],
  ['between the acquirer’s answer and its record', killBeforeTheRecord],
];

describe.each(deaths)('a process killed while it charges a card, %s,', (_what, killedDuring) => {
  test('leaves a charge that another tells the truth about, and the card is charged once', async () => {
    doomed = await startServiceProcess(world.env);
    const shop = world.newShop();
    const card = world.newCard();
    const order = world.orderWith(card);
    await killedDuring(() => doomed.client.create(shop, order));
    const attempts = await world.attemptsOf(order.externalId);

    const successor = await world.startReplica();
    await world.letPass(order.externalId, 5);
    // One that asks while the other is at it hears to ask again.
    const create = () =>
      patiently(
        () => successor.client.create(shop, order),
        ({ status }) => status === 503,
      );
    const answers = await Promise.all([create(), create()]);

    const [attempt] = attempts;
    expect(attempts).toMatchObject([{ status: 'PENDING', acquirer_id: null }]);
    expect(answers.map(({ status, data }) => [status, created.parse(data).id])).toEqual([
      [200, attempt?.id],
      [200, attempt?.id],
    ]);
    expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'paid', canceledAmount: 0 }]);
    expect(await world.eventsOf(attempt?.id ?? '')).toHaveLength(1);
    await successor.stop();
  });
});

const endsOfTheWay: [string, Behaviour][] = [
  ['before the acquirer heard of it', silence],
  ['after the acquirer has done it', doneThenSilence],
];

describe('a process killed while it gives a payment back', () => {
  test.each(endsOfTheWay)(
    '%s, leaves that to another, who does not do it twice',
    async (_what, behaviour) => {
      doomed = await startServiceProcess(world.env);
      const card = world.newCard();
      const order = world.orderWith(card);
      world.acquirer.next('pay', doneThenReset);
      await doomed.client.create(world.newShop(), order);
      await world.letPass(order.externalId, 0);
      await eventually(async () =>
        expect(await world.attemptsOf(order.externalId)).toMatchObject([{ acquirer_id: expect.any(String) }]),
      );
      await killDuring('cancel', behaviour, async () => {
        await world.letPass(order.externalId, 16 * 60);
        throw new Error('nobody waits for the clock');
      });

      const successor = await world.startReplica();
      await eventually(async () =>
        expect(await world.attemptsOf(order.externalId)).toMatchObject([
          { status: 'DECLINED', decline_reason: 'voided' },
        ]),
      );

      expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'canceled', canceledAmount: 2500 }]);
      await successor.stop();
    },
  );
});

describe('a process killed while it gives back a payment that came when its attempt had ended', () => {
  test.each(endsOfTheWay)(
    '%s, leaves that to another, who does not do it twice',
    async (_what, behaviour) => {
      doomed = await startServiceProcess(world.env);
      const card = world.newCard();
      const order = world.orderWith(card);
      const held = holding();
      world.acquirer.next('pay', held.behaviour);
      const paying = doomed.client.create(world.newShop(), order).catch(() => 'the connection broke');
      await held.arrived;
      await world.letPass(order.externalId, 121);
      await eventually(async () =>
        expect(await world.attemptsOf(order.externalId)).toMatchObject([
          { status: 'DECLINED', decline_reason: 'not_processed', is_watched: true },
        ]),
      );
      await killDuring('cancel', behaviour, async () => {
        held.release();
        await paying;
        throw new Error('nobody waits for the clock');
      });
      const [payment] = world.acquirer.book.ofCard(card);
      expect(payment).toMatchObject(
        behaviour === silence ? { status: 'paid', canceledAmount: 0 } : { status: 'canceled' },
      );

      const successor = await world.startReplica();
      await world.lookAgain(order.externalId);
      await eventually(async () =>
        expect(await world.attemptsOf(order.externalId)).toMatchObject([
          { status: 'DECLINED', decline_reason: 'not_processed', is_watched: false },
        ]),
      );

      expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'canceled', canceledAmount: 2500 }]);
      const keys = world.acquirer.requestsFor(payment?.id ?? '', 'cancel').map(({ key }) => key);
      expect(new Set(keys).size).toBe(1);
      await successor.stop();
    },
  );
});
