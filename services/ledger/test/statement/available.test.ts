import { describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { soundWorld } from '../support/books.ts';
import { disputeOf, paid, paidByCard, refundOf, refused, withdrawalOf } from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { changeWallet } from '../support/wallet-calls.ts';
import { sharedWorld } from '../support/world.ts';
import { availableStatement, DAY_MS, DUE } from './support/available.ts';

const world = soundWorld(sharedWorld);

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const { move, read, untilSettled } = availableStatement(world);

/**
 * Returns type, amount and balance of all rows. Expects that the last balance equals the available money less
 * the dispute debt.
 */
async function movementsOf(tenant: Tenant): Promise<[string | undefined, number, number][]> {
  const { data, meta } = await read(tenant);
  const { availableBalance, disputeDebt } = await world.balanceOf(tenant);
  let balance = meta.openingBalance;
  for (const row of data) {
    balance += row.amount;
    expect(row.balanceAfter).toBe(balance);
  }
  expect([meta.openingBalance, meta.closingBalance]).toEqual([0, balance]);
  expect(meta.closingBalance).toBe(availableBalance - disputeDebt);
  return data.map(({ movement, amount, balanceAfter }) => [movement?.type, amount, balanceAfter]);
}

type Story = (tenant: Tenant) => Promise<unknown>;

const card = (tenant: Tenant, settlesAt?: string) =>
  paidByCard(tenant, { amount: 10_000, feeAmount: 100, ...(settlesAt ? { settlesAt } : {}) });
const pix = (tenant: Tenant) => paid(tenant, { amount: 10_000, feeAmount: 100 });

/** Withdraws the whole balance that a Pix of 10,000 cents leaves after its fee. */
const withdrawAll = async (tenant: Tenant) => {
  const { order } = withdrawalOf(tenant, { netAmount: 9_800, fee: 100 });
  await world.withdraw(order);
};

const stories: Record<string, [Story, ...[string, number, number][]]> = {
  'a Pix sale is listed at once, less its fee': [
    (tenant) => world.deliver(pix(tenant)),
    ['PAYMENT', 9_900, 9_900],
  ],
  'a card sale that settles at once is one row': [
    (tenant) => world.deliver(paid(tenant, { paymentMethod: 'CARD', amount: 10_000, feeAmount: 100 })),
    ['PAYMENT', 9_900, 9_900],
  ],
  'a card sale is absent until it settles': [(tenant) => world.deliver(card(tenant))],
  'a card sale is listed after it settles': [
    async (tenant) => {
      await world.deliver(card(tenant, DUE), card(tenant));
      await untilSettled(tenant, 9_900);
    },
    ['SETTLEMENT', 9_900, 9_900],
  ],
  'a refund before the settlement is absent, and its sale settles with the rest': [
    async (tenant) => {
      const sale = card(tenant, inDays(14));
      await world.deliver(sale);
      await world.refund(refundOf(sale, { amount: 3_000 }));
      await move(tenant, 15);
      await untilSettled(tenant);
    },
    ['SETTLEMENT', 6_900, 6_900],
  ],
  'a refund after the settlement is a row, and so is its refusal': [
    async (tenant) => {
      const sale = card(tenant, DUE);
      await world.deliver(sale);
      await untilSettled(tenant);
      const order = refundOf(sale, { amount: 3_000 });
      await world.refund(order);
      await world.deliver(refused(order));
    },
    ['SETTLEMENT', 9_900, 9_900],
    ['REFUND', -3_000, 6_900],
    ['REFUND_RETURN', 3_000, 9_900],
  ],
  'a dispute of pending money is absent, also when it is won': [
    async (tenant) => {
      const sale = card(tenant);
      const { opened, resolved } = disputeOf(sale, 4_000);
      await world.deliver(sale, opened, resolved('RESOLVED_MERCHANT'));
    },
  ],
  'a dispute of pending money that is lost leaves the rest to settle': [
    async (tenant) => {
      const sale = card(tenant, inDays(2));
      const { opened, resolved } = disputeOf(sale, 4_000);
      await world.deliver(sale, opened, resolved('RESOLVED_CUSTOMER'));
      await move(tenant, 3);
      await untilSettled(tenant);
    },
    ['SETTLEMENT', 5_900, 5_900],
  ],
  'a dispute of available money takes it, and gives it back when it is won': [
    async (tenant) => {
      const sale = pix(tenant);
      const { opened, resolved } = disputeOf(sale, 4_000);
      await world.deliver(sale, opened, resolved('CANCELLED'));
    },
    ['PAYMENT', 9_900, 9_900],
    ['DISPUTE_RESERVE', -4_000, 5_900],
    ['DISPUTE_RELEASE', 4_000, 9_900],
  ],
  'the debt of a dispute is a row, its collection is not': [
    async (tenant) => {
      const sale = pix(tenant);
      const { opened, resolved } = disputeOf(sale);
      await world.deliver(sale);
      await withdrawAll(tenant);
      await world.deliver(
        opened,
        resolved('RESOLVED_CUSTOMER'),
        paid(tenant, { amount: 2_000, feeAmount: 0 }),
      );
    },
    ['PAYMENT', 9_900, 9_900],
    ['WITHDRAWAL', -9_900, 0],
    ['DISPUTE_RESERVE', -10_000, -10_000],
    ['PAYMENT', 2_000, -8_000],
  ],
  'a withdrawal is one row with its fee, and so is its return': [
    async (tenant) => {
      const { order, failed } = withdrawalOf(tenant);
      await world.deliver(pix(tenant));
      await world.withdraw(order);
      await world.deliver(failed);
    },
    ['PAYMENT', 9_900, 9_900],
    ['WITHDRAWAL', -1_100, 8_800],
    ['WITHDRAWAL_RETURN', 1_100, 9_900],
  ],
  'an empty wallet has no rows': [async () => {}],
  'a completed withdrawal adds no row': [
    async (tenant) => {
      const { order, completed } = withdrawalOf(tenant);
      await world.deliver(pix(tenant));
      await world.withdraw(order);
      await world.deliver(completed);
    },
    ['PAYMENT', 9_900, 9_900],
    ['WITHDRAWAL', -1_100, 8_800],
  ],
  'changes by operators are rows': [
    async (tenant) => {
      await world.deliver(pix(tenant));
      const ofTenant = { merchantId: tenant.merchantId, environment: tenant.environment };
      await changeWallet(world.first, 'blocks', { ...ofTenant, amount: 500 });
      await changeWallet(world.first, 'unblocks', { ...ofTenant, amount: 200 });
      await changeWallet(world.first, 'adjustments', { ...ofTenant, amount: -50 });
    },
    ['PAYMENT', 9_900, 9_900],
    ['BLOCK', -500, 9_400],
    ['UNBLOCK', 200, 9_600],
    ['ADJUSTMENT', -50, 9_550],
  ],
};

describe('the available balance', () => {
  test.each(Object.entries(stories))('follows a rule: %s', async (_name, [happen, ...expected]) => {
    const tenant = newTenant();
    await happen(tenant);

    expect(await movementsOf(tenant)).toEqual(expected);
  });

  test('dates a card sale by settlement on the sandbox clock', async () => {
    const tenant = newTenant();
    await world.deliver(card(tenant, inDays(13.5)));
    await move(tenant, 13);
    expect(await movementsOf(tenant)).toEqual([]);
    await move(tenant, 14);
    await untilSettled(tenant);

    const { data } = await read(tenant);

    expect(data.map(({ createdAt }) => createdAt.slice(0, 10))).toEqual([inDays(14).slice(0, 10)]);
  });
});

test('rows name charge or withdrawal and any gross and fee', async () => {
  const tenant = newTenant();
  const sold = paidByCard(tenant, { amount: 10_000, feeAmount: 100, settlesAt: DUE, externalId: 'pedido-7' });
  const { order, id } = withdrawalOf(tenant);
  const lacking = disputeOf(sold, 9_000);
  const scarce = disputeOf(sold, 1_000);
  await world.deliver(paid(tenant, { externalId: 'pedido-8', endToEndId: 'E8' }), sold);
  await untilSettled(tenant);
  await world.withdraw({ ...order, externalId: 'saque-1' });
  await world.deliver(lacking.opened, disputeOf(sold, 5_000).opened, scarce.opened);

  const { data } = await read(tenant);

  const none = { chargeId: null, withdrawalId: null, externalId: null, endToEndId: null };
  const charge = { ...none, chargeId: sold.data.id, externalId: 'pedido-7' };
  const gross = (grossAmount: number | null, feeAmount: number | null) => ({ grossAmount, feeAmount });
  expect(data).toMatchObject([
    { ...none, externalId: 'pedido-8', chargeId: expect.any(String), endToEndId: 'E8', paymentMethod: 'PIX' },
    { ...charge, type: 'CREDIT', description: 'Settlement of Card charge pedido-7', paymentMethod: 'CARD' },
    { ...none, withdrawalId: id, externalId: 'saque-1' },
    { ...charge, type: 'DISPUTE_RESERVE', dispute: { id: lacking.id } },
    { ...charge, type: 'DISPUTE_RESERVE' },
    { ...charge, type: 'DISPUTE_DEFICIT', description: `Missing for dispute ${scarce.id}` },
  ]);
  expect(data.map(({ movement }) => movement)).toMatchObject([
    gross(2_500, 25),
    gross(null, null),
    gross(-1_000, 100),
    ...Array.from({ length: 3 }, () => gross(null, null)),
  ]);
});
