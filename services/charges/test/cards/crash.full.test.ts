import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Behaviour } from '@plataforma/testing';
import { blocking, doneThenReset, doneThenSilence, silence } from '@plataforma/testing';
import { repeatWhileUndone, worldOfFile } from '@plataforma/testing/world';
import { startCardWorld } from '../support/card-world.ts';
import { holdLock, killAt, met } from '../support/crashes.ts';
import { repeatable, saidIn } from '../support/keyed.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const world = worldOfFile(startCardWorld);
let doomed: ServiceProcess;

beforeAll(() => world.first.stop());
beforeEach(async () => {
  doomed = await startServiceProcess(world.env);
});
afterEach(() => doomed.kill());

const created = api.createCharge.data;
type Work = () => Promise<unknown>;

/**
 * Kills the process while it waits for the acquirer's answer to `operation`. The acquirer handles the request
 * with `behaviour`.
 */
const killDuring = (operation: 'pay' | 'cancel', behaviour: Behaviour, work: Work) =>
  killAt(
    met((meeting) => world.acquirer.next(operation, meeting), behaviour),
    doomed,
    work,
  );

/** Kills the process after the acquirer's answer, before the process records this answer. */
async function killBeforeTheRecord(work: Work): Promise<void> {
  const taken = Promise.withResolvers<Awaited<ReturnType<typeof holdLock>>>();
  world.acquirer.next('pay', async (perform) => {
    const reply = perform();
    const code = world.acquirer.requests.at(-1)?.about;
    taken.resolve(await holdLock(world.database, 'SELECT 1 FROM charges WHERE id = $1 FOR UPDATE', [code]));
    return reply;
  });
  await killAt(
    taken.promise.then((lock) => lock.isAwaited()),
    doomed,
    work,
  );
  await (await taken.promise).release();
}

describe.each<[string, (work: Work) => Promise<void>]>([
  ['before the acquirer received it', (work) => killDuring('pay', silence, work)],
  ['after the acquirer received it', (work) => killDuring('pay', doneThenSilence, work)],
  ['between the acquirer’s answer and its record', killBeforeTheRecord],
])('a process killed while it charges a card, %s,', (_what, killedDuring) => {
  test('leaves a charge that another replica finds, charged once', async () => {
    const { shop, card, order } = world.ordered();
    await killedDuring(() => doomed.client.create(shop, order));
    const attempts = await world.attemptsOf(order.externalId);

    const successor = await world.startReplica();
    await world.letPass(order.externalId, 5);
    // A request gets 503 while another request works on the same order, and must be repeated.
    const create = () =>
      repeatWhileUndone(
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

  test('leaves a charge that the same keyed request returns', async () => {
    const card = world.newCard();
    const order = world.orderWith(card);
    const ask = repeatable({ tenant: world.newShop(), path: '/v1/charges', body: order });
    await killedDuring(() => ask(doomed.client));
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
  });
});

describe.each<[string, Behaviour]>([
  ['before the acquirer received it', silence],
  ['after the acquirer voided it', doneThenSilence],
])('a process killed while it voids a payment, %s,', (_what, behaviour) => {
  test('leaves the void to another replica', async () => {
    const card = world.newCard();
    const order = world.orderWith(card);
    world.acquirer.next('pay', doneThenReset);
    await doomed.client.create(world.newShop(), order);
    await world.letPass(order.externalId, 0);
    await world.become(order.externalId, { acquirer_id: expect.any(String) });
    await killDuring('cancel', behaviour, async () => {
      await world.letPass(order.externalId, 16 * 60);
      throw new Error('the scheduler voids the payment without a request');
    });

    const successor = await world.startReplica();
    await world.become(order.externalId, { status: 'DECLINED', decline_reason: 'voided' });

    expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'canceled', canceledAmount: 2500 }]);
    await successor.stop();
  });

  test('leaves the void of a late payment to another replica', async () => {
    const card = world.newCard();
    const order = world.orderWith(card);
    const blocked = blocking();
    world.acquirer.next('pay', blocked.behaviour);
    const paying = doomed.client.create(world.newShop(), order).catch(() => 'the connection broke');
    await blocked.arrived;
    await world.letPass(order.externalId, 121);
    const ended = { status: 'DECLINED', decline_reason: 'not_processed' };
    await world.become(order.externalId, { ...ended, is_watched: true });
    await killDuring('cancel', behaviour, async () => {
      blocked.release();
      await paying;
      throw new Error('the scheduler voids the payment without a request');
    });
    const [payment] = world.acquirer.book.ofCard(card);
    expect(payment).toMatchObject(
      behaviour === silence ? { status: 'paid', canceledAmount: 0 } : { status: 'canceled' },
    );

    const successor = await world.startReplica();
    await world.letPassWatched(order.externalId);
    await world.become(order.externalId, { ...ended, is_watched: false });

    expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'canceled', canceledAmount: 2500 }]);
    const keys = world.acquirer.requestsFor(payment?.id ?? '', 'cancel').map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
    await successor.stop();
  });
});
