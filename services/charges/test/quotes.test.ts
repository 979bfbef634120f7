import { describe, expect, test } from '@jest/globals';
import { api, type Scope } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { cardSettings } from './support/card-world.ts';
import { startFakeAcquirer } from './support/fake-acquirer.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { startRefundWorld } from './support/refund-world.ts';

const world = worldOfFile(async () => {
  const acquirer = await startFakeAcquirer();
  return startRefundWorld({ fakes: { acquirer }, settings: cardSettings(acquirer) });
});

const all: Scope[] = ['charges:write', 'wallet:read'];

function ask(tenant: Tenant, body: object, scopes = all) {
  return world.client.send('/v1/quotes', { method: 'POST', headers: merchantHeader(tenant, scopes), body });
}

async function quoteOf(tenant: Tenant, body: object, scopes = all) {
  return api.createQuote.data.parse((await ask(tenant, body, scopes)).data);
}

const codesIn = ({ stoppedBy }: { stoppedBy: { code: string }[] }) => stoppedBy.map(({ code }) => code);

describe('a quote of a refund', () => {
  test('shows amount, fee and balance without taking money', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    world.ledger.setBalance(charge.tenant.merchantId, 10_000);

    const quote = await quoteOf(charge.tenant, { type: 'refund', chargeId: charge.id });

    expect(quote).toEqual({
      ...{ type: 'refund', amount: 2465, fee: 0, netAmount: 2465, debit: 2465, balanceAfter: 7535 },
      ...{ stoppedBy: [], approvalsNeeded: 0, payableFrom: null, settlesAt: null },
    });
    expect([charge.debited(), await charge.refunds()]).toEqual([[], []]);
    const { data } = await charge.refund();
    expect(data).toMatchObject({ refundedAmount: quote.amount });
  });

  test('shows the reasons that stop the refund', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    const { tenant, id: chargeId } = charge;
    const query = { type: 'refund', chargeId, amount: 1000 };
    world.ledger.setBalance(tenant.merchantId, 400);
    expect(await quoteOf(tenant, query)).toMatchObject({
      balanceAfter: -600,
      stoppedBy: [{ code: 'INSUFFICIENT_BALANCE', message: 'the balance does not cover the refund' }],
    });

    world.ledger.setBalance(tenant.merchantId, 5_000);
    await charge.refund({ amount: 1000 });
    await charge.becomes('DONE');
    expect(codesIn(await quoteOf(tenant, query))).toEqual(['CHARGE_NOT_REFUNDABLE']);

    const unpaid = await world.client.newCharge(tenant);
    const { stoppedBy } = await quoteOf(tenant, { type: 'refund', chargeId: unpaid.id });
    const { error } = await world.call(tenant, `/v1/charges/${unpaid.id}/refund`, {});
    expect(stoppedBy).toEqual([{ code: error?.code, message: error?.message }]);
  });

  test('hides the balance from a key that may only refund', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    world.ledger.setBalance(charge.tenant.merchantId, 400);
    const refund = { type: 'refund', chargeId: charge.id, amount: 1000 };

    const quote = await quoteOf(charge.tenant, refund, ['refunds:write']);
    const another = await quoteOf(charge.tenant, refund, ['charges:write']);
    const { error } = await ask(charge.tenant, { type: 'charge', amount: 2500 }, ['refunds:write']);

    expect(quote).toMatchObject({ debit: 1000, balanceAfter: null });
    expect(another.balanceAfter).toBeNull();
    expect(codesIn(quote)).toEqual(['INSUFFICIENT_BALANCE']);
    expect(error?.code).toBe('INSUFFICIENT_SCOPE');
  });

  test('is refused for a malformed refund or a foreign charge', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    const answers = [
      await ask(charge.tenant, { type: 'refund', chargeId: newId() }),
      await ask(newTenant(), { type: 'refund', chargeId: charge.id }),
      await ask(charge.tenant, { type: 'refund', chargeId: charge.id, amount: 2501 }),
      await ask(charge.tenant, { type: 'refund', chargeId: 'x' }),
      await ask(charge.tenant, { type: 'refund', chargeId: charge.id }, ['charges:read']),
      await ask(charge.tenant, { type: 'withdrawal', amount: 2500, pixKey: 'a@b.com', pixKeyType: 'EMAIL' }),
    ];

    expect(answers.map(({ error }) => error?.code)).toEqual([
      ...['NOT_FOUND', 'NOT_FOUND', 'VALIDATION_ERROR', 'VALIDATION_ERROR', 'INSUFFICIENT_SCOPE'],
      'SERVICE_UNAVAILABLE',
    ]);
  });
});

describe('a quote of a charge', () => {
  test('by Pix shows fee, net amount and balance, creating nothing', async () => {
    const tenant = newTenant();
    world.ledger.setBalance(tenant.merchantId, 1_000);

    const quote = await quoteOf(tenant, { type: 'charge', amount: 2500 });

    const { feeAmount, netAmount } = await world.client.newCharge(newTenant(), { amount: 2500 });
    expect(quote).toMatchObject({
      ...{ type: 'charge', amount: 2500, fee: feeAmount, netAmount, debit: 0 },
      ...{ balanceAfter: 1_000 + netAmount, stoppedBy: [], approvalsNeeded: 0, payableFrom: null },
    });
    expect(Math.abs(Date.parse(quote.settlesAt ?? '') - Date.now())).toBeLessThan(60_000);
    expect(await world.client.list(tenant)).toMatchObject({ meta: { total: 0 } });
  });

  test('by card has the card fee and the settlement day', async () => {
    const tenant = newTenant('production');
    world.gateway.describe(tenant.merchantId, {
      ...{ cardEnabled: true, maxInstallments: 6, cardFeeBps: 400, cardFeeFixed: 50, settlementDays: 30 },
    });
    const query = { type: 'charge', amount: 30_000, paymentMethod: 'CARD', installments: 3 };

    const quote = await quoteOf(tenant, query);

    expect(quote).toMatchObject({ fee: 1_250, netAmount: 28_750, stoppedBy: [] });
    const days = (Date.parse(quote.settlesAt ?? '') - Date.now()) / 86_400_000;
    expect(days > 28.9 && days < 30.1).toBe(true);
    expect((await ask(tenant, { ...query, installments: 7 })).error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'installments: must be at most 6',
    });
  });

  test('shows that cards are disabled and the account is suspended', async () => {
    const tenant = newTenant('production');
    world.gateway.describe(tenant.merchantId, { cardEnabled: false, status: 'SUSPENDED' });

    const quote = await quoteOf(tenant, { type: 'charge', amount: 2500, paymentMethod: 'CARD' });

    expect(codesIn(quote)).toEqual(['MERCHANT_SUSPENDED', 'CARD_NOT_ENABLED']);
  });

  test('hides the balance from a key without wallet access', async () => {
    const query = { type: 'charge', amount: 2500 };

    expect((await quoteOf(newTenant(), query, ['charges:write'])).balanceAfter).toBeNull();
    expect((await ask(newTenant(), query, ['withdrawals:write'])).status).toBe(403);
  });
});
