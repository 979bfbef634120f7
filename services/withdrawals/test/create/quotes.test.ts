import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { bankBody, saved } from '../support/destination-bodies.ts';
import { startWorld, withoutProvider } from '../support/world.ts';

const world = worldOfFile(() =>
  startWorld({ settings: { FOUR_EYES_THRESHOLD: '50000', ...withoutProvider('SANDBOX') } }),
);

const ask = (tenant: Tenant, changes: Record<string, unknown> = {}, options = {}) =>
  world.call(tenant, '/v1/quotes', {
    method: 'POST',
    body: { type: 'withdrawal', ...newOrder(changes) },
    ...options,
  });
const quoteOf = async (tenant: Tenant, changes: Record<string, unknown> = {}) =>
  api.createQuote.data.parse((await ask(tenant, changes)).data);
const codesOf = async (tenant: Tenant, changes: Record<string, unknown> = {}) =>
  (await quoteOf(tenant, changes)).stoppedBy.map(({ code }) => code);

describe('a quote', () => {
  test('names fee, net amount and remaining balance without any debit', async () => {
    const merchant = world.newMerchant({ withdrawalFee: 250, autoApproveLimit: 20_000 }, 'production');
    world.ledger.setBalance(merchant.merchantId, 40_000);

    expect(await quoteOf(merchant)).toEqual({
      ...{ type: 'withdrawal', amount: 15_000, fee: 250, netAmount: 14_750, debit: 15_000 },
      ...{ balanceAfter: 25_000, stoppedBy: [], approvalsNeeded: 0, payableFrom: null, settlesAt: null },
    });
    expect(await world.client.list(merchant)).toMatchObject({ meta: { total: 0 } });
    expect(world.ledger.debitRequests.filter(({ merchantId }) => merchantId === merchant.merchantId)).toEqual(
      [],
    );
    const { fee, netAmount } = await world.client.newWithdrawal(merchant);
    expect([fee, netAmount]).toEqual([250, 14_750]);
  });

  test('adds the fee on top when the account says so', async () => {
    const fees = { withdrawalFee: 250, withdrawalFeeMode: 'BALANCE' } as const;

    expect(await quoteOf(world.newMerchant(fees, 'production'))).toMatchObject({
      ...{ amount: 15_000, fee: 250, netAmount: 15_000, debit: 15_250 },
    });
  });

  test('names required approvals and the earliest time of payment', async () => {
    const merchant = world.newMerchant({ destinationCooldownHours: 24 }, 'production');
    const before = Date.now();
    const { id: destinationId } = await saved(world, merchant, bankBody);

    const quote = await quoteOf(merchant, { destinationId });
    expect(quote).toMatchObject({ approvalsNeeded: 1, stoppedBy: [] });
    expect(new Date(quote.payableFrom ?? 0).getTime()).toBeGreaterThan(before + 23.9 * 3_600_000);
    expect(await quoteOf(merchant, { amount: 50_001 })).toMatchObject({ approvalsNeeded: 2 });
  });

  test('names every reason why the order would be refused', async () => {
    const merchant = world.newMerchant({ dailyWithdrawalLimit: 20_000 }, 'production');
    world.ledger.setBalance(merchant.merchantId, 12_000);
    await world.client.newWithdrawal(merchant, { amount: 10_000 });

    const quote = await quoteOf(merchant);
    const order = await world.client.create(merchant, newOrder());

    expect(quote.balanceAfter).toBe(2_000 - 15_000);
    expect(quote.stoppedBy.map(({ code }) => code)).toEqual([
      'WITHDRAWAL_LIMIT_REACHED',
      'INSUFFICIENT_BALANCE',
    ]);
    expect(order.error).toEqual(quote.stoppedBy[0]);
    expect(await codesOf(merchant, { amount: 2_000 })).toEqual([]);
  });

  test('names a suspended account and a missing provider', async () => {
    expect(await codesOf(world.newMerchant({ status: 'SUSPENDED' }, 'production'))).toEqual([
      'MERCHANT_SUSPENDED',
    ]);
    expect(await codesOf(world.newMerchant())).toEqual(['PROVIDER_UNAVAILABLE']);
  });

  test('of a malformed order is refused', async () => {
    const merchant = world.newMerchant({ withdrawalFee: 250 }, 'production');
    const answers = [
      await ask(merchant, { destinationId: newId() }),
      await ask(merchant, { amount: 250 }),
      await ask(merchant, { amount: 99 }),
      await ask(merchant, { pixKey: 'x', pixKeyType: 'CPF' }),
      await ask(merchant, { pixKey: undefined }),
      await ask(merchant, { type: 'loan' }),
      await ask(merchant, { type: 'refund', chargeId: newId() }),
      await ask(merchant, {}, { scopes: ['charges:write'] }),
    ];

    expect(answers.map(({ error }) => error?.code)).toEqual([
      'NOT_FOUND',
      ...Array<string>(5).fill('VALIDATION_ERROR'),
      'SERVICE_UNAVAILABLE',
      'INSUFFICIENT_SCOPE',
    ]);
    expect((await ask(merchant, {}, { scopes: ['wallet:read'] })).status).toBe(200);
  });
});
