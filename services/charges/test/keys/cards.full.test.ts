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

describe('a card charge that is asked for again with the same key', () => {
  test('is answered as the first time, and the acquirer is not asked again', async () => {
    const { ask, payments } = ordered();
    const first = await ask(world.client);
    const requestsBefore = world.acquirer.requests.length;

    const again = await ask(second.client);

    expect([first.status, first.isReplay, again.isReplay]).toEqual([201, false, true]);
    expect(saidIn(again)).toEqual(saidIn(first));
    expect(world.acquirer.requests).toHaveLength(requestsBefore);
    expect(payments()).toHaveLength(1);
  });

  test('is declined as the first time; a new key is a new try', async () => {
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

  test('reads the same of a token of no use', async () => {
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
  ] as const)('returns that it was %s after an answer that was lost', async (_what, card, status, end) => {
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

  test('returns a decline that only the scheduler has found, and is no new try', async () => {
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
    'at once are %s by one charge, the later key at the %s replica',
    async (_how, replica, traits, statuses) => {
      const later = at[replica]();
      const { tenant, order, ask, payments } = ordered(traits);
      const other = repeatable({ tenant, path, body: order });
      const blocked = blocking();
      world.acquirer.next('pay', blocked.behaviour);
      const first = ask(world.client);
      await blocked.arrived;
      const waiting = other(later);
      // It is certainly waiting when later orders of the same shop have been answered.
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

describe('the same request at once, at two replicas', () => {
  test.each([
    ['good', GOOD, 201],
    ['bad', BAD, 402],
  ] as const)(
    `charges a %s card once and has one answer: 20 at once, then 6 at once ${ROUNDS} times`,
    async (_what, traits, status) => {
      for (let round = 0; round <= ROUNDS; round += 1) {
        const { order, ask, payments } = ordered(traits);

        const last = await expectOneAnswer([world.client, second.client], ask, round === 0 ? 20 : 6);

        const [attempt, ...more] = await world.attemptsOf(order.externalId);
        expect([last.status, more]).toEqual([status, []]);
        if (status === 201) expect(created.parse(last.data).id).toBe(attempt?.id);
        expect(payments()).toHaveLength(1);
        expect(world.acquirer.requestsFor(attempt?.id ?? '', 'pay')).toHaveLength(1);
      }
    },
  );
});
