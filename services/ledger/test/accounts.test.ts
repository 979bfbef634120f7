import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { disputeOf, paid, paidByCard, unmatchedOf, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { asOperator, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const [one, two] = [newTenant(), newTenant()];

const read = async (path: string) =>
  asOperator(world.first, { path: `/v1/admin/ledger/${path}`, role: 'SUPPORT' });
const adjust = (tenant: Tenant, amount: number) =>
  asOperator(world.first, {
    path: '/v1/admin/ledger/adjustments',
    body: { ...tenant, amount, description: 'x' },
  });

beforeAll(async () => {
  const disputed = paid(two, { feeAmount: 2_500 });
  const { order, completed } = withdrawalOf(one);
  await world.deliver(paid(one), paidByCard(one), disputed, unmatchedOf(two).received);
  await world.deliver(disputeOf(disputed, 300).opened, paid({ ...one, environment: 'production' }));
  await world.withdraw(order);
  await world.withdraw(withdrawalOf(one, { netAmount: 70, fee: 5 }).order);
  await world.deliver(completed);
  await adjust(one, 11);
});

const platform = {
  adjustments: -11,
  'clearing:CARD': -2_500,
  'clearing:PIX': -5_000 - 700 + 1_000,
  dispute_exposure: 300,
  fees: 25 + 25 + 2_500 + 105,
  payouts: 70,
  suspense: 700,
};
const ofOne = { 'available:PIX': 2_475 - 1_100 - 75 + 11, 'pending:CARD': 2_475 };

const rowsFor = (sums: Record<string, number>, merchantId: string | null) =>
  Object.entries(sums).map(([account, amount]) => ({ account, merchantId, amount }));

describe('the accounts', () => {
  test('of the platform sum all lines of an environment', async () => {
    expect(await read('accounts?environment=sandbox')).toEqual({
      status: 200,
      answer: { success: true, data: rowsFor(platform, null) },
    });
    expect(await read('accounts')).toMatchObject({
      answer: { data: rowsFor({ 'clearing:PIX': -2_500, fees: 25 }, null) },
    });
  });

  test('of a merchant sum its own lines', async () => {
    const query = `accounts?environment=sandbox&merchantId=${one.merchantId}`;

    expect(await read(query)).toMatchObject({
      answer: { data: [...rowsFor(platform, null), ...rowsFor(ofOne, one.merchantId)] },
    });
    expect(await read(`${query}&account=pending:CARD`)).toMatchObject({
      answer: { data: rowsFor({ 'pending:CARD': 2_475 }, one.merchantId) },
    });
    expect(await read(`${query}&account=fees`)).toMatchObject({
      answer: { data: rowsFor({ fees: platform.fees }, null) },
    });
  });

  test('of an unknown merchant are an empty list', async () => {
    const { merchantId } = newTenant();

    expect(await read(`accounts?merchantId=${merchantId}&account=pending:CARD`)).toMatchObject({
      answer: { data: [] },
    });
  });
});

test('the trial balance sums all accounts by kind to zero', async () => {
  const sums = { ...platform, ...ofOne, dispute_debt: -300 };
  const accounts = Object.entries(sums)
    .map(([account, amount]) => ({ account, amount }))
    .toSorted((a, b) => (a.account < b.account ? -1 : 1));

  expect(await read('trial-balance?environment=sandbox')).toEqual({
    status: 200,
    answer: { success: true, data: { environment: 'sandbox', total: 0, accounts } },
  });
});
