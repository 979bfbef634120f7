import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { doneThenReset, eventually, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { startCardWorld } from '../support/card-world.ts';
import type { Answered } from '../support/client.ts';
import { newDelays } from '../support/delays.ts';

const world = worldOfFile(() => startCardWorld({ tuning: { scheduleEveryMs: 20 } }));
const second = beforeFile(() => world.startReplica());

const created = api.createCharge.data;
const ROUNDS = rounds(50);
const MOST_ROUNDS = 50;
const SEED = 20_261_121;

/** Sends the same order many times at the same moment to two replicas. */
async function all(times: number, card = world.newCard()) {
  const shop = world.newShop();
  const order = world.orderWith(card);
  const answers = await Promise.all(
    Array.from({ length: times }, (_, i) => (i % 2 ? world : second).client.create(shop, order)),
  );
  return { shop, card, order, answers, payments: world.acquirer.book.ofCard(card) };
}

const statusesOf = (answers: Answered[]) => answers.map(({ status }) => status).sort((a, b) => a - b);

describe('concurrent copies of an order at two replicas', () => {
  test(`charge the card once: 20, then ${ROUNDS} times 6 copies`, async () => {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const times = round === 0 ? 20 : 6;
      const { answers, payments, order } = await all(times);

      expect(statusesOf(answers)).toEqual([...Array(times - 1).fill(200), 201]);
      const ids = new Set(answers.map(({ data }) => created.parse(data).id));
      const [id = ''] = ids;
      expect(ids.size).toBe(1);
      expect(payments).toMatchObject([{ status: 'paid', amount: 2500, order: { code: id } }]);
      expect(world.acquirer.requestsFor(id, 'pay')).toHaveLength(1);
      expect(await world.eventsOf(id)).toMatchObject([{ type: 'charge.paid', sequence: 1 }]);
      expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
    }
  });

  test(`of a declined card decline it once, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { answers, payments, order } = await all(6, world.newCard({ fate: 'failed', returnCode: '51' }));

      // A request after the decline gets the same decline, because its token is the same.
      expect(answers.map(({ status, error }) => [status, error?.message])).toEqual(
        Array(6).fill([402, 'the card was declined: insufficient_funds']),
      );
      expect(payments).toHaveLength(1);
      const [attempt, ...more] = await world.attemptsOf(order.externalId);
      expect([attempt?.status, more]).toEqual(['DECLINED', []]);
      expect(world.acquirer.requestsFor(attempt?.id ?? '', 'pay')).toHaveLength(1);
    }
  });

  test('with a lost answer get 503 once, then the charge', async () => {
    for (let round = 0; round < rounds(5); round += 1) {
      world.acquirer.next('pay', doneThenReset);

      const { shop, answers, payments, order } = await all(6);
      const again = await world.client.create(shop, order);

      const { id } = created.parse(again.data);
      const chargeIds = answers
        .filter(({ status }) => status === 200)
        .map(({ data }) => created.parse(data).id);
      expect(statusesOf([...answers, again])).toEqual([...Array(6).fill(200), 503]);
      expect(new Set([...chargeIds, id]).size).toBe(1);
      expect(payments).toMatchObject([{ status: 'paid', order: { code: id } }]);
      expect(await world.eventsOf(id)).toHaveLength(1);
    }
  });
});

const HEAD_START_MS = 60;

describe(`a repetition at the end of the horizon, ${ROUNDS} times (seed ${SEED})`, () => {
  /**
   * Lets the caller and the scheduler work on a payment at the same time. The side with a head start is
   * first, unless the machine is busy.
   */
  async function race(delay: (max: number) => number, headStart: 'caller' | 'clock' | 'nobody') {
    const { shop, card, order } = await world.unanswered();
    await world.letPass(order.externalId, 0);
    await world.become(order.externalId, { acquirer_id: expect.any(String) });

    const [answer] = await Promise.all([
      sleep(delay(12) + (headStart === 'clock' ? HEAD_START_MS : 0)).then(() =>
        second.client.create(shop, order),
      ),
      sleep(delay(4) + (headStart === 'caller' ? HEAD_START_MS : 0)).then(() =>
        world.letPass(order.externalId, 16 * 60),
      ),
    ]);
    await eventually(async () => {
      const attempts = await world.attemptsOf(order.externalId);
      expect(attempts.map(({ status }) => status)).not.toContain('PENDING');
    });
    const attempts = await world.attemptsOf(order.externalId);
    return { answer, attempts, payments: world.acquirer.book.ofCard(card) };
  }

  test('either collects the payment or has it voided', async () => {
    const delay = newDelays(SEED);
    const ends = new Map<string, number>();

    // On a busy machine a head start may have no effect, so a few more rounds are run until both outcomes
    // have occurred.
    for (let round = 0; round < ROUNDS || (ends.size < 2 && round < MOST_ROUNDS); round += 1) {
      const { answer, attempts, payments } = await race(
        delay,
        (['caller', 'nobody', 'clock'] as const)[round % 3] ?? 'nobody',
      );

      const [attempt] = attempts;
      const wasCollected = attempt?.status === 'PAID';
      ends.set(attempt?.status ?? '', (ends.get(attempt?.status ?? '') ?? 0) + 1);
      expect(payments).toMatchObject([
        wasCollected ? { status: 'paid', canceledAmount: 0 } : { status: 'canceled', canceledAmount: 2500 },
      ]);
      expect(await world.eventsOf(attempt?.id ?? '')).toHaveLength(wasCollected ? 1 : 0);
      expect(answer.status === 200).toBe(wasCollected);
      expect(attempts.slice(1).map(({ status }) => status)).not.toContain('PAID');
    }

    expect(ends.size).toBe(2);
  });
});
