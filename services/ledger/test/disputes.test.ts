import { afterEach, describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { soundWorld } from './support/books.ts';
import { disputeOf, paid, paidByCard, refundOf, refused, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { differencesOf } from './support/tampering.ts';
import { saleIn } from './support/wallet-calls.ts';
import { sharedWorld } from './support/world.ts';

const world = soundWorld(sharedWorld);
afterEach(async () => expect(await world.deadLetters()).toEqual([]));

const receivablesOf = async (tenant: Tenant) => (await world.read(tenant, '/v1/receivables')).data;

describe('an opened dispute', () => {
  test('reserves its amount from the available money', async () => {
    const { tenant, charge } = await saleIn(world);
    const dispute = disputeOf(charge, 2_000);

    await world.deliver(dispute.opened);

    expect(await world.entriesOf(dispute.id)).toEqual({
      dispute_opened: { 'available:PIX': -2_000, 'reserved:PIX': 2_000 },
    });
    expect((await world.rowsOf(charge.data.id)).slice(2)).toEqual([['DISPUTE_RESERVE', -2_000, 475]]);
    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 475,
      reservedBalance: 2_000,
      disputeDebt: 0,
      withdrawableBalance: 475,
    });
  });

  test('reserves its charge’s pending money first, then records a debt', async () => {
    const tenant = newTenant();
    const charge = paidByCard(tenant, { amount: 5_000, feeAmount: 1_000 });
    const dispute = disputeOf(charge);
    await world.deliver(charge, paid(tenant, { amount: 300, feeAmount: 0 }), paidByCard(tenant));

    await world.deliver(dispute.opened);

    expect(await world.entriesOf(dispute.id)).toEqual({
      dispute_opened: {
        'pending:CARD': -4_000,
        'available:PIX': -300,
        'reserved:CARD': 4_000,
        'reserved:PIX': 300,
        dispute_debt: -700,
        dispute_exposure: 700,
      },
    });
    expect((await world.rowsOf(charge.data.id)).slice(2)).toEqual([
      ['DISPUTE_RESERVE', -4_300, 2_475],
      ['DISPUTE_DEFICIT', -700, 1_775],
    ]);
    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 0,
      pendingBalance: 2_475,
      reservedBalance: 4_300,
      disputeDebt: 700,
      withdrawableBalance: 0,
    });
  });

  test('becomes a debt without money and leaves other debts covered', async () => {
    const tenant = newTenant();
    const charge = paid(tenant, { feeAmount: 2_500 });
    const [first, second] = [disputeOf(charge, 1_000), disputeOf(charge, 500)];
    await world.deliver(charge, first.opened);
    await world.deliver(paid(tenant, { amount: 1_200, feeAmount: 0 }));

    await world.deliver(second.opened);

    expect(await world.entriesOf(first.id)).toEqual({
      dispute_opened: { dispute_debt: -1_000, dispute_exposure: 1_000 },
    });
    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 1_000,
      reservedBalance: 200,
      disputeDebt: 1_300,
      withdrawableBalance: 0,
    });
  });

  test('announced twice or with another amount is posted once', async () => {
    const tenant = newTenant();
    const charge = paid(tenant);
    const { opened } = disputeOf(charge, 1_000);
    await world.deliver(charge, opened);

    await world.deliver(opened, { ...opened, data: { ...opened.data, amount: 2_000 } });

    expect(await world.balanceOf(tenant)).toMatchObject({ reservedBalance: 1_000 });
  });
});

describe('a won dispute', () => {
  test.each(['RESOLVED_MERCHANT', 'CANCELLED'] as const)(
    'as %s returns the reserve and clears the debt',
    async (status) => {
      const { tenant, charge } = await saleIn(world);
      const dispute = disputeOf(charge);
      const before = await world.balanceOf(tenant);
      await world.deliver(dispute.opened);

      await world.deliver(dispute.resolved(status));

      expect(await world.balanceOf(tenant)).toEqual(before);
      expect((await world.rowsOf(charge.data.id)).slice(2)).toEqual([
        ['DISPUTE_RESERVE', -2_475, 0],
        ['DISPUTE_DEFICIT', -25, -25],
        ['DISPUTE_RELEASE', 2_475, 2_450],
        ['DISPUTE_DEFICIT', 25, 2_475],
      ]);
      expect((await world.entriesOf(dispute.id)).dispute_won).toEqual({
        'reserved:PIX': -2_475,
        'available:PIX': 2_475,
        dispute_debt: 25,
        dispute_exposure: -25,
      });
    },
  );

  test.each(['RESOLVED_MERCHANT', 'CANCELLED'] as const)(
    'as %s makes card money pending in its receivable again',
    async (status) => {
      const tenant = newTenant();
      const charge = paidByCard(tenant, { amount: 10_000, feeAmount: 100 });
      const dispute = disputeOf(charge, 4_000);
      await world.deliver(charge, dispute.opened);
      expect(await world.balanceOf(tenant)).toMatchObject({ pendingBalance: 5_900, reservedBalance: 4_000 });

      await world.deliver(dispute.resolved(status));

      const { availableBalance, pendingBalance, reservedBalance } = await world.balanceOf(tenant);
      const { order } = withdrawalOf(tenant, { netAmount: 3_900, fee: 100 });
      expect([availableBalance, pendingBalance, reservedBalance]).toEqual([0, 9_900, 0]);
      expect(await receivablesOf(tenant)).toMatchObject({ totalAmount: 9_900, days: [{ count: 1 }] });
      expect(await world.withdraw(order)).toMatchObject({ status: 422 });
      expect(await differencesOf(world, tenant)).toEqual([]);
    },
  );

  test('returns only its own share to pending, beside other reversals', async () => {
    const tenant = newTenant();
    const charge = paidByCard(tenant, { amount: 10_000, feeAmount: 100 });
    const refund = refundOf(charge, { amount: 3_000 });
    const [first, second] = [disputeOf(charge, 4_000), disputeOf(charge, 3_500)];
    await world.deliver(charge, paid(tenant, { amount: 200, feeAmount: 0 }));
    await world.refund(refund);
    // The second dispute can use 2,900 cents of the receivable and 200 available cents. The dispute exceeds
    // this sum by 400 cents.
    await world.deliver(first.opened, second.opened);
    expect(await world.balanceOf(tenant)).toMatchObject({ pendingBalance: 0, disputeDebt: 400 });

    await world.deliver(second.resolved('CANCELLED'), refused(refund), first.resolved('RESOLVED_MERCHANT'));

    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 200,
      pendingBalance: 9_900,
      reservedBalance: 0,
      disputeDebt: 0,
    });
    expect(await receivablesOf(tenant)).toMatchObject({ totalAmount: 9_900 });
    expect(await differencesOf(world, tenant)).toEqual([]);
  });
});

describe('a lost dispute', () => {
  test('pays the reserve out without a statement row', async () => {
    const tenant = newTenant();
    const charge = paid(tenant);
    const dispute = disputeOf(charge, 2_000);
    await world.deliver(charge, dispute.opened);

    await world.deliver(dispute.resolved('RESOLVED_CUSTOMER'));

    expect((await world.entriesOf(dispute.id)).dispute_lost).toEqual({
      'reserved:PIX': -2_000,
      'clearing:PIX': 2_000,
    });
    expect(await world.rowsOf(charge.data.id)).toHaveLength(3);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 475, reservedBalance: 0 });
  });

  test('leaves a debt that every later credit pays', async () => {
    const tenant = newTenant();
    const charge = paid(tenant, { amount: 3_000, feeAmount: 3_000 });
    const dispute = disputeOf(charge);
    await world.deliver(charge, dispute.opened, dispute.resolved('RESOLVED_CUSTOMER'));
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 0, disputeDebt: 3_000 });

    await world.deliver(paid(tenant));
    const afterOne = await world.balanceOf(tenant);
    await world.deliver(paidByCard(tenant, { settlesAt: '2026-01-01T00:00:00.000Z' }));

    expect(afterOne).toMatchObject({ availableBalance: 0, disputeDebt: 525 });
    await eventually(async () =>
      expect(await world.balanceOf(tenant)).toMatchObject({
        availableBalance: 1_950,
        disputeDebt: 0,
        withdrawableBalance: 1_950,
      }),
    );
  });

  test('collects its own debt at once, Pix money first', async () => {
    const tenant = newTenant();
    const charge = paid(tenant, { amount: 5_000, feeAmount: 5_000 });
    const [lost, open] = [disputeOf(charge, 3_000), disputeOf(charge, 1_000)];
    await world.deliver(charge, lost.opened, open.opened);
    await world.deliver(paid(tenant), paidByCard(tenant, { settlesAt: null }));
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 4_950, disputeDebt: 4_000 });

    await world.deliver(lost.resolved('RESOLVED_CUSTOMER'));

    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 1_950,
      disputeDebt: 1_000,
      withdrawableBalance: 950,
      breakdown: { PIX: { availableBalance: 0 }, CARD: { availableBalance: 1_950 } },
    });
  });
});

describe('the end of a dispute', () => {
  test.each([
    ['RESOLVED_MERCHANT', { availableBalance: 2_475, disputeDebt: 0 }],
    ['RESOLVED_CUSTOMER', { availableBalance: 0, disputeDebt: 25 }],
  ] as const)('before its opening (%s) posts both and leaves no reserve', async (status, balance) => {
    const { tenant, charge } = await saleIn(world);
    const dispute = disputeOf(charge);

    await world.deliver(dispute.resolved(status));
    await world.deliver(dispute.opened);

    expect(Object.keys(await world.entriesOf(dispute.id))).toHaveLength(2);
    expect(await world.balanceOf(tenant)).toMatchObject({ ...balance, reservedBalance: 0 });
  });

  test('is final: a later other outcome changes nothing', async () => {
    const tenant = newTenant();
    const charge = paid(tenant);
    const dispute = disputeOf(charge, 1_000);
    const other = disputeOf(charge, 1_000);
    await world.deliver(charge, dispute.opened, other.opened, dispute.resolved('RESOLVED_MERCHANT'));

    await world.deliver(dispute.resolved('RESOLVED_CUSTOMER'));

    expect(Object.keys(await world.entriesOf(dispute.id))).toEqual(['dispute_opened', 'dispute_won']);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_475, reservedBalance: 1_000 });
  });
});
