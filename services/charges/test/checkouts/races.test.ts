import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { startCheckoutWorld } from '../support/checkout-world.ts';
import { newDelays } from '../support/delays.ts';

const world = worldOfFile(() => startCheckoutWorld({ tuning: { scheduleEveryMs: 5 } }));
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(1_000);
const SEED = 20_261_125;
/** The time for a round on a busy machine. */
const ROUND_MS = 6_000;
const TIMEOUT_MS = 300_000;

/**
 * Lets several things happen at the same moment. The code is paid, two cards pay and a second tab requests a
 * code. In half of the rounds, the first code also expires.
 */
async function race(delay: (max: number) => number) {
  const shop = world.shop();
  const link = await world.newLink(shop, { uses: 1 });
  const buyer = await world.buyer(link.slug);
  await buyer.byPix();
  const txid = await buyer.txid();
  const { charge } = await buyer.now();
  const card = world.newCard(delay(2) === 0 ? { fate: 'failed', returnCode: '51' } : {});
  await Promise.all([
    sleep(delay(60)).then(() => {
      world.provider.book.pay(txid);
      return world.client.notify(txid);
    }),
    sleep(delay(30)).then(() => buyer.byCard(card)),
    sleep(delay(60)).then(() => buyer.byPix(second.client)),
    sleep(delay(60)).then(() => buyer.byCard(world.newCard(), {}, second.client)),
    ...(delay(2) === 0 ? [sleep(delay(60)).then(() => world.letTimeRunOut(charge?.id ?? ''))] : []),
  ]);
  return { shop, link, buyer, txid };
}

/**
 * Returns all payments of a link: payments of its charges, and payments that are being returned or were
 * returned.
 */
async function moneyOf(linkId: string) {
  const charges = await world.chargesOf(linkId);
  const pix = charges.flatMap(({ txid }) => world.provider.book.find(txid)?.payments ?? []);
  const cards = charges.flatMap(({ id }) => world.acquirer.book.ofOrder(id));
  const expected = await Promise.all(charges.map(({ id }) => world.paymentsOf(id)));
  return {
    charges,
    pix,
    paidCards: cards.filter(({ status }) => status === 'paid'),
    recorded: expected.flat(),
  };
}

describe(`a race of Pix, card and expiry, ${ROUNDS} times (seed ${SEED})`, () => {
  test(
    'pays the visit at most once; all other money goes back',
    async () => {
      const delay = newDelays(SEED);
      const winners = new Map<string, number>();

      for (let round = 0; round < ROUNDS; round += 1) {
        const { shop, link, buyer, txid } = await race(delay);
        await world.client.notify(txid);
        const { charge } = await buyer.now();
        if (charge?.status === 'PENDING' && charge.paymentMethod === 'PIX') await buyer.payCode();
        await world.closeForm(buyer.id);
        await eventually(async () => expect(await buyer.now()).not.toMatchObject({ state: 'PROCESSING' }));

        await eventually(async () => {
          const { charges, pix, paidCards, recorded } = await moneyOf(link.id);
          const paid = charges.filter(({ status }) => status === 'PAID');
          const { usesTaken, payments } = await world.link(shop, link.id);
          expect(charges.map(({ status }) => status)).not.toContain('PENDING');
          expect(paid.length).toBeLessThanOrEqual(1);
          expect([usesTaken, payments]).toEqual([paid.length, paid.length]);
          // Each received Pix is recorded. A PAID charge is paid by exactly one payment, either a Pix or a
          // card.
          expect(recorded.length).toBe(pix.length);
          const paying = recorded.filter((row) => row.is_expected).length;
          expect(paying + paidCards.length).toBe(paid.length);
        });
        const { state, charge: last } = await buyer.now();
        const winner = state === 'PAID' ? (last?.paymentMethod ?? '') : state;
        winners.set(winner, (winners.get(winner) ?? 0) + 1);
      }

      if (ROUNDS >= 50) expect([...winners.keys()]).toEqual(expect.arrayContaining(['PIX', 'CARD']));
    },
    TIMEOUT_MS + ROUNDS * ROUND_MS,
  );
});

describe('a link of three uses', () => {
  test(
    `opened by 20 buyers at once is paid three times, ${rounds(50)} times`,
    async () => {
      for (let round = 0; round < rounds(50); round += 1) {
        const shop = world.shop();
        const link = await world.newLink(shop, { uses: 3 });
        const visits = await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            world.visit(
              link.slug,
              { payerDocument: world.documentOf(i) },
              i % 2 ? world.client : second.client,
            ),
          ),
        );
        const buyers = visits.map(({ data }) => world.buyerOf(data));

        const answers = await Promise.all(
          buyers.map((buyer, i) => {
            const at = i % 3 === 0 ? second.client : world.client;
            return i % 2 ? buyer.byPix(at) : buyer.byCard(world.newCard(), {}, at);
          }),
        );
        await Promise.all(
          buyers.map(async (buyer) => {
            if ((await buyer.now()).state === 'PIX') await buyer.payCode();
          }),
        );

        expect(visits.map(({ status }) => status)).toEqual(Array(20).fill(201));
        const codes = new Set(answers.map(({ status, error }) => error?.code ?? status));
        expect([200, 'NO_USES_LEFT']).toEqual(expect.arrayContaining([...codes]));
        await eventually(async () => {
          const states = await Promise.all(buyers.map(async (buyer) => (await buyer.now()).state));
          const { charges, pix, paidCards, recorded } = await moneyOf(link.id);
          expect(states.filter((state) => state === 'PAID')).toHaveLength(3);
          expect(charges.map(({ status }) => status)).not.toContain('PENDING');
          expect(recorded).toHaveLength(pix.length);
          expect(recorded.filter((row) => row.is_expected).length + paidCards.length).toBe(3);
        });
        const counted = { usesTaken: 3, payments: 3, status: 'USED_UP', starts: 20 };
        expect(await world.link(shop, link.id)).toMatchObject(counted);
      }
    },
    TIMEOUT_MS + rounds(50) * ROUND_MS,
  );
});
