import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, rounds } from '@plataforma/testing';
import { beforeFile } from '@plataforma/testing/world';
import { soundWorld } from './support/books.ts';
import { disputeOf, paid, paidByCard, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { failure, merchantIn, success } from './support/wallet-calls.ts';
import { sharedWorld } from './support/world.ts';

const world = soundWorld(sharedWorld);
afterEach(async () => expect(await world.deadLetters()).toEqual([]));

const merchant = () => merchantIn(world);

describe('a withdrawal', () => {
  test('takes its amount and fee from available money', async () => {
    const tenant = await merchant();
    const { id, order } = withdrawalOf(tenant);

    const answer = await world.withdraw(order);

    expect(answer).toEqual(success(id));
    expect(await world.entriesOf(id)).toEqual({
      withdrawal_created: { 'available:PIX': -1_100, payouts: 1_000, fees: 100 },
    });
    expect(await world.rowsOf(id)).toEqual([
      ['WITHDRAWAL', -1_000, 1_475],
      ['FEE', -100, 1_375],
    ]);
    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 1_375,
      totalEarned: 2_500,
      totalWithdrawn: 1_000,
      totalFeesPaid: 125,
    });
    const rows = await world.database.query(
      'SELECT description, payment_method, charge_id FROM wallet_transactions WHERE withdrawal_id = $1 ORDER BY id',
      [id],
    );
    expect(rows).toEqual([
      { description: `Pix withdrawal ${id}`, payment_method: null, charge_id: null },
      { description: `Fee of Pix withdrawal ${id}`, payment_method: null, charge_id: null },
    ]);
  });

  test('takes Pix before card money and returns both on failure', async () => {
    const tenant = await merchant();
    await world.deliver(paidByCard(tenant, { settlesAt: null, feeAmount: 0 }));
    const before = await world.balanceOf(tenant);
    const { id, order, failed } = withdrawalOf(tenant, { netAmount: 3_000, fee: 0 });

    await world.withdraw(order);
    expect(await world.entriesOf(id)).toEqual({
      withdrawal_created: { 'available:PIX': -2_475, 'available:CARD': -525, payouts: 3_000 },
    });
    await world.deliver(failed);

    expect(await world.balanceOf(tenant)).toEqual(before);
  });

  test('may take at most the withdrawable balance', async () => {
    const tenant = await merchant();

    const tooMuch = await world.withdraw(withdrawalOf(tenant, { netAmount: 2_375, fee: 101 }).order);
    const all = await world.withdraw(withdrawalOf(tenant, { netAmount: 2_375, fee: 100 }).order);

    expect(tooMuch).toEqual(failure(422, 'INSUFFICIENT_BALANCE'));
    expect(all.status).toBe(200);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 0 });
  });

  test('uses neither pending money nor cover for a dispute debt', async () => {
    const tenant = newTenant();
    const disputed = paid(tenant, { feeAmount: 2_500 });
    await world.deliver(disputed, disputeOf(disputed, 1_000).opened, paidByCard(tenant), paid(tenant));

    const tooMuch = await world.withdraw(withdrawalOf(tenant, { netAmount: 1_476, fee: 0 }).order);
    const all = await world.withdraw(withdrawalOf(tenant, { netAmount: 1_475, fee: 0 }).order);

    expect([tooMuch.status, all.status]).toEqual([422, 200]);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_000, pendingBalance: 2_475 });
  });

  test('takes nothing from the other environment', async () => {
    const tenant = await merchant();

    const answer = await world.withdraw(withdrawalOf({ ...tenant, environment: 'production' }).order);

    expect(answer).toEqual(failure(422, 'INSUFFICIENT_BALANCE'));
  });
});

describe('the end of a withdrawal', () => {
  test('by completion takes the money out of the provider', async () => {
    const tenant = await merchant();
    const { id, order, completed } = withdrawalOf(tenant);
    await world.withdraw(order);

    await world.deliver(completed);
    await world.deliver(completed);

    expect((await world.entriesOf(id)).withdrawal_completed).toEqual({
      payouts: -1_000,
      'clearing:PIX': 1_000,
    });
    expect(await world.rowsOf(id)).toHaveLength(2);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_375, totalWithdrawn: 1_000 });
  });

  test.each(['failed', 'rejected', 'abandoned'] as const)(
    'as %s returns all of the money once',
    async (end) => {
      const tenant = await merchant();
      const before = await world.balanceOf(tenant);
      const withdrawal = withdrawalOf(tenant);
      await world.withdraw(withdrawal.order);

      await world.deliver(withdrawal[end]);
      await world.deliver(withdrawal[end], withdrawal.failed);

      expect(await world.balanceOf(tenant)).toEqual(before);
      expect((await world.entriesOf(withdrawal.id)).withdrawal_returned).toEqual({
        'available:PIX': 1_100,
        payouts: -1_000,
        fees: -100,
      });
      expect((await world.rowsOf(withdrawal.id)).slice(2)).toEqual([
        ['WITHDRAWAL', 1_000, 2_375],
        ['FEE', 100, 2_475],
      ]);
    },
  );

  test('is final: a second different end changes nothing', async () => {
    const tenant = await merchant();
    const [paidOut, returned] = [withdrawalOf(tenant), withdrawalOf(tenant)];
    await world.withdraw(paidOut.order);
    await world.withdraw(returned.order);

    await world.deliver(paidOut.completed, returned.failed);
    await world.deliver(paidOut.failed, returned.completed);

    expect(Object.keys(await world.entriesOf(paidOut.id)).sort()).toEqual([
      'withdrawal_completed',
      'withdrawal_created',
    ]);
    expect(Object.keys(await world.entriesOf(returned.id)).sort()).toEqual([
      'withdrawal_created',
      'withdrawal_returned',
    ]);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_375 });
  });

  test('with another amount, fee or merchant changes nothing', async () => {
    const tenant = await merchant();
    const { id, order } = withdrawalOf(tenant);
    await world.withdraw(order);

    await world.deliver(
      withdrawalOf(tenant, { id, netAmount: 1_001 }).failed,
      withdrawalOf(tenant, { id, fee: 101 }).completed,
      withdrawalOf(newTenant(), { id }).failed,
    );

    expect(Object.keys(await world.entriesOf(id))).toEqual(['withdrawal_created']);
  });

  test('as abandoned before the debit prevents the debit', async () => {
    const tenant = await merchant();
    const [given, sent] = [withdrawalOf(tenant), withdrawalOf(tenant)];
    await world.deliver(given.abandoned, sent.completed);

    const answers = [await world.withdraw(given.order), await world.withdraw(sent.order)];

    expect(answers).toEqual([failure(422, 'INSUFFICIENT_BALANCE'), success(sent.id)]);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_375 });
  });

  test('with a return pays the debt of a lost dispute', async () => {
    const tenant = await merchant();
    const { order, failed } = withdrawalOf(tenant, { netAmount: 2_375 });
    await world.withdraw(order);
    const disputed = paid(tenant, { feeAmount: 2_500 });
    await world.deliver(disputed, disputeOf(disputed, 1_000).resolved('RESOLVED_CUSTOMER'));

    await world.deliver(failed);

    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_475, disputeDebt: 0 });
  });
});

const other = beforeFile(() => world.startReplica());
afterEach(async () => expect(await world.deadLetters()).toEqual([]));

describe('an abandoned withdrawal', () => {
  test.each([
    ['before its debit', true],
    ['after its debit', false],
  ])('%s leaves the merchant its money, also after a repetition', async (_when, isFirst) => {
    const tenant = await merchant();
    const { id, order, abandoned } = withdrawalOf(tenant);
    if (isFirst) await world.deliver(abandoned);
    const first = await world.withdraw(order);
    await world.deliver(abandoned, abandoned);

    const again = await world.withdraw(order, other);

    expect([first, again]).toEqual(
      isFirst
        ? [failure(422, 'INSUFFICIENT_BALANCE'), failure(422, 'INSUFFICIENT_BALANCE')]
        : [success(id), success(id)],
    );
    const entries = isFirst ? [] : ['withdrawal_created', 'withdrawal_returned'];
    expect(Object.keys(await world.entriesOf(id)).sort()).toEqual(entries);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475, totalWithdrawn: 0 });
  });

  test('while its debit is requested leaves the merchant its money', async () => {
    for (let round = 0; round < rounds(30); round += 1) {
      const tenant = await merchant();
      const { id, order, abandoned } = withdrawalOf(tenant);
      const announced = world.emitter.announce(abandoned);
      // In every second round the event is sent before the request for the debit. In the other rounds event
      // and request are sent at the same time.
      if (round % 2) await announced;

      const { status } = await world.withdraw(order, round % 4 < 2 ? other : world.first);

      expect([200, 422]).toContain(status);
      await eventually(async () => {
        const returned = (await world.entriesOf(id)).withdrawal_returned;
        const refused = await world.database.query('SELECT FROM debit_answers WHERE id = $1', [id]);
        expect(returned ? 200 : refused.length > 0 && 422).toBe(status);
      });
      expect(await world.balanceOf(tenant)).toMatchObject({
        availableBalance: 2_475,
        totalWithdrawn: 0,
        totalFeesPaid: 25,
      });
    }
  });
});
