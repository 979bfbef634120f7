import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { blocking, doneThenReset, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { type CardWorld, startCardWorld } from '../support/card-world.ts';
import { expectOneAnswer, repeatable, saidIn } from '../support/keyed.ts';

const world = worldOfFile(startCardWorld);
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(20);
const path = '/v1/charges';
const created = api.createCharge.data;
const GOOD = {};
const BAD = { fate: 'failed', returnCode: '51' } as const;

function ordered(traits: Parameters<CardWorld['newCard']>[0] = GOOD) {
  const tenant = world.newShop();
  const card = world.newCard(traits);
  const order = world.orderWith(card);
  const ask = repeatable({ tenant, path, body: order });
  return { tenant, card, order, ask, payments: () => world.acquirer.book.ofCard(card) };
}

describe('a card charge repeated with the same key', () => {
  test('gets the same answer without an acquirer request', async () => {
    const { ask, payments } = ordered();
    const first = await ask(world.client);
    const requestsBefore = world.acquirer.requests.length;

    const again = await ask(second.client);

    expect([first.status, first.isReplay, again.isReplay]).toEqual([201, false, true]);
    expect(saidIn(again)).toEqual(saidIn(first));
    expect(world.acquirer.requests).toHaveLength(requestsBefore);
    expect(payments()).toHaveLength(1);
  });

  test('is declined again; a new key starts a new attempt', async () => {
    const { tenant, order, ask } = ordered(BAD);
    const first = await ask(world.client);
    const requestsBefore = world.acquirer.requests.length;

    const again = await ask(second.client);
    const meanwhile = world.acquirer.requests.length;
    const body = { ...order, cardToken: world.acquirer.book.tokenize(world.newCard()) };
    const other = await repeatable({ tenant, path, body })(world.client);

    expect([first.status, first.error?.code]).toEqual([402, 'CARD_DECLINED']);
    expect([saidIn(again), again.isReplay]).toEqual([saidIn(first), true]);
    expect(meanwhile).toBe(requestsBefore);
    expect([other.status, other.isReplay]).toEqual([201, false]);
    expect(saidIn(await ask(world.client))).toEqual(saidIn(first));
    expect((await world.attemptsOf(order.externalId)).map(({ status }) => status)).toEqual([
      'DECLINED',
      'PAID',
    ]);
  });

  test('gets the same error about a refused token', async () => {
    const { tenant, order } = ordered();
    const ask = repeatable({ tenant, path, body: { ...order, cardToken: 'token_de_ninguem' } });
    const first = await ask(world.client);
    const requestsBefore = world.acquirer.requests.length;

    const again = await ask(world.client);

    expect([first.status, first.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect([saidIn(again), again.isReplay]).toEqual([saidIn(first), true]);
    expect(world.acquirer.requests).toHaveLength(requestsBefore);
  });

  test.each([
    ['approved', GOOD, 201, 'PAID'],
    ['declined', BAD, 402, 'DECLINED'],
  ] as const)('is reported as %s after a lost answer', async (_what, card, status, end) => {
    const { order, ask, payments } = ordered(card);
    world.acquirer.next('pay', doneThenReset);
    const lost = await ask(world.client);

    const again = await ask(second.client);
    const later = await ask(world.client);

    expect([lost.status, lost.error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect([again.status, again.isReplay]).toEqual([status, false]);
    expect([saidIn(later), later.isReplay]).toEqual([saidIn(again), true]);
    expect(payments()).toHaveLength(1);
    expect(await world.attemptsOf(order.externalId)).toMatchObject([{ status: end }]);
  });

  test('gets a decline that the scheduler found', async () => {
    const { order, ask, payments } = ordered(BAD);
    world.acquirer.next('pay', doneThenReset);
    await ask(world.client);
    await world.letPass(order.externalId, 5);
    await world.become(order.externalId, { status: 'DECLINED' });

    const again = await ask(world.client);

    expect([again.status, again.error?.message]).toEqual([402, 'the card was declined: insufficient_funds']);
    expect((await ask(second.client)).isReplay).toBe(true);
    expect([payments().length, (await world.attemptsOf(order.externalId)).length]).toEqual([1, 1]);
  });
});

describe('two keys for one externalId', () => {
  const at = { one: () => world.client, other: () => second.client };
  test.each([
    ['paid', 'one', GOOD, [201, 200]],
    ['paid', 'other', GOOD, [201, 200]],
    ['declined for good', 'one', BAD, [402, 402]],
    ['declined for good', 'other', BAD, [402, 402]],
  ] as const)(
    'at once are %s by one charge, later at replica %s',
    async (_how, replica, traits, statuses) => {
      const later = at[replica]();
      const { tenant, order, ask, payments } = ordered(traits);
      const other = repeatable({ tenant, path, body: order });
      const blocked = blocking();
      world.acquirer.next('pay', blocked.behaviour);
      const first = ask(world.client);
      await blocked.arrived;
      const waiting = other(later);
      // Wait until the replica `later` has answered three further orders of the shop. The second request has
      // then certainly begun to wait for the first.
      for (let i = 0; i < 3; i += 1) await later.create(tenant, world.orderWith(world.newCard()));
      blocked.release();

      const answers = await Promise.all([first, waiting]);
      const again = [await ask(second.client), await other(world.client)];

      expect(answers.map(({ status }) => status)).toEqual(statuses);
      expect(again.map(saidIn)).toEqual(answers.map(saidIn));
      expect(again.map(({ isReplay }) => isReplay)).toEqual([true, true]);
      expect(payments()).toHaveLength(1);
      expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
    },
  );
});

describe('concurrent copies of a keyed card order at two replicas', () => {
  test.each([
    ['good', GOOD, 201],
    ['bad', BAD, 402],
  ] as const)(`charge a %s card once: 20, then ${ROUNDS} times 6 copies`, async (_what, traits, status) => {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const { order, ask, payments } = ordered(traits);

      const last = await expectOneAnswer([world.client, second.client], ask, round === 0 ? 20 : 6);

      const [attempt, ...more] = await world.attemptsOf(order.externalId);
      expect([last.status, more]).toEqual([status, []]);
      if (status === 201) expect(created.parse(last.data).id).toBe(attempt?.id);
      expect(payments()).toHaveLength(1);
      expect(world.acquirer.requestsFor(attempt?.id ?? '', 'pay')).toHaveLength(1);
    }
  });
});
