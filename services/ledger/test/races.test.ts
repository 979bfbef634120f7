import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, rounds } from '@plataforma/testing';
import { beforeFile } from '@plataforma/testing/world';
import { soundWorld } from './support/books.ts';
import { disputeOf, paid, paidByCard, refundOf, refused, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { changeWallet, saleIn, success } from './support/wallet-calls.ts';
import { startWorld } from './support/world.ts';

const ROUNDS = rounds(50);

const world = soundWorld(() => startWorld({ tuning: { scheduleEveryMs: 5 } }));
const other = beforeFile(() => world.startReplica());
afterEach(async () => expect(await world.deadLetters()).toEqual([]));

const numbers = Array.from({ length: ROUNDS }, (_, number) => number);
const eachRound = (play: (number: number) => Promise<void>) => Promise.all(numbers.map(play));

describe(`concurrent postings in ${ROUNDS} rounds on two replicas`, () => {
  test('make one of two refunds for the same money', async () => {
    await eachRound(async () => {
      const tenant = newTenant();
      const [one, two] = [paid(tenant, { feeAmount: 0 }), paid(tenant, { feeAmount: 2_500 })];
      await world.refund(refundOf(one, { amount: 500 }));
      await world.refund(refundOf(two, { amount: 1 }));

      const answers = await Promise.all([
        world.refund(refundOf(one, { amount: 1_999 })),
        world.refund(refundOf(two, { amount: 1_999 }), other),
      ]);

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
      expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 0 });
    });
  });

  test('never give the same money to refund and dispute', async () => {
    const tenants = numbers.map(() => newTenant());
    const charges = tenants.map((tenant) => paid(tenant, { feeAmount: 0 }));
    await world.deliver(...charges);

    const announcing = world.deliver(...charges.map((charge) => disputeOf(charge).opened));
    const answers = await Promise.all(charges.map((charge) => world.refund(refundOf(charge), other)));
    await announcing;

    for (const [number, tenant] of tenants.entries()) {
      const wasRefunded = answers[number]?.status === 200;
      expect(await world.balanceOf(tenant)).toMatchObject({
        availableBalance: 0,
        reservedBalance: wasRefunded ? 0 : 2_500,
        disputeDebt: wasRefunded ? 2_500 : 0,
      });
    }
  });

  test('find the money of a refund while it settles', async () => {
    const tenants = numbers.map(() => newTenant());
    const charges = tenants.map((tenant) => paidByCard(tenant, { settlesAt: '2026-01-01T00:00:00.000Z' }));

    const announcing = world.deliver(...charges);
    const refunds = charges.map((charge) => refundOf(charge, { amount: 2_000 }));
    const answers = await Promise.all(refunds.map((refund) => world.refund(refund, other)));
    await announcing;
    await world.deliver(...refunds.map(refused));

    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    await eventually(async () => {
      for (const tenant of tenants) {
        expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475, pendingBalance: 0 });
      }
    });
  });

  test('book a dispute’s opening and outcome once in any order', async () => {
    const tenants = numbers.map(() => newTenant());
    const charges = tenants.map((tenant) => paid(tenant));
    await world.deliver(...charges);
    const disputes = charges.map((charge) => disputeOf(charge, 2_000));

    await world.deliver(
      ...disputes.map(({ resolved }) => resolved('RESOLVED_CUSTOMER')),
      ...disputes.map(({ opened }) => opened),
      ...disputes.map(({ resolved }) => resolved('RESOLVED_CUSTOMER')),
    );

    for (const [number, tenant] of tenants.entries()) {
      expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 475, reservedBalance: 0 });
      const entries = await world.entriesOf(disputes[number]?.id ?? '');
      expect(Object.keys(entries).sort()).toEqual(['dispute_lost', 'dispute_opened']);
    }
  });

  test('change nothing when every event is delivered again', async () => {
    const count = 'SELECT count(*) AS total FROM journal_entries';
    const before = await world.database.query(count);
    const last = paid(newTenant());

    await world.emitter.publishAgain();
    await world.deliver(last);

    const [after] = await world.database.query<{ total: number }>(count);
    expect(after?.total).toBe(Number(before[0]?.total) + 1);
  });
});

test(`two replicas answer a refund alike during payments, ${ROUNDS} times`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { tenant, charge } = await saleIn(world, paid, { feeAmount: 2_500 });
    const refund = refundOf(charge, { amount: 100 });

    const [answers] = await Promise.all([
      Promise.all([world.refund(refund), world.refund(refund, other), world.refund(refund, other)]),
      world.deliver(paid(tenant)),
    ]);

    const isTaken = Object.keys(await world.entriesOf(refund.id)).length > 0;
    expect(answers.map(({ status }) => status)).toEqual(Array(3).fill(isTaken ? 200 : 422));
  }
});

describe('simultaneous refunds', () => {
  test('succeed although one of them can’t be posted', async () => {
    const orders = Array.from({ length: 12 }, () => refundOf(paid(newTenant())));
    const broken = refundOf(paid(newTenant(), { externalId: 'a\u0000b' }));

    const [failed, ...answers] = await Promise.all([broken, ...orders].map((order) => world.refund(order)));

    expect(failed?.status).toBe(500);
    expect(answers).toEqual(orders.map(({ id }) => success(id)));
  });
});

test('concurrent blocks, withdrawals and adjustments never exceed the balance', async () => {
  const tenant = newTenant();
  await world.deliver(paid(tenant, { amount: 1_000, feeAmount: 0 }));
  const of = (number: number) => (number % 2 ? other : world.first);

  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, number) =>
      [
        () => changeWallet(of(number), 'blocks', { ...tenant, amount: 100 }),
        () => changeWallet(of(number), 'adjustments', { ...tenant, amount: -100 }),
        () => world.withdraw(withdrawalOf(tenant, { netAmount: 100, fee: 0 }).order, of(number)),
      ][number % 3]?.(),
    ),
  );

  expect(answers.filter((answer) => answer?.status !== 422)).toHaveLength(10);
  expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 0 });
});
