import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { type Answered, newOrder } from '../support/client.ts';
import { bankBody, newPixBody, saved } from '../support/destination-bodies.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

const isReplay = ({ headers }: Answered) => headers.get('idempotency-replayed') === 'true';

describe('a repeated order with its Idempotency-Key', () => {
  test('gets the first response after the withdrawal has changed', async () => {
    const merchant = world.newMerchant();
    const order = newOrder();
    const first = await world.client.create(merchant, order, 'folha 1');
    await eventually(async () =>
      expect(await world.rowsOf(merchant)).toMatchObject([{ status: 'COMPLETED' }]),
    );

    const again = await world.client.create(merchant, order, 'folha 1');

    expect([first.status, isReplay(first)]).toEqual([201, false]);
    expect([again.status, isReplay(again), again.data]).toEqual([201, true, first.data]);
    expect(
      world.ledger.debitRequests.filter(({ merchantId }) => merchantId === merchant.merchantId),
    ).toHaveLength(1);
  });

  test('is answered although the account was suspended meanwhile', async () => {
    const merchant = world.newMerchant({}, 'production');
    const order = newOrder();
    const first = await world.client.create(merchant, order, 'k');
    await world.setMerchantStatus(merchant, 'SUSPENDED');

    expect(await world.client.create(merchant, order, 'k')).toMatchObject({ status: 201, data: first.data });
    expect((await world.client.create(merchant, order, 'k2')).error?.code).toBe('MERCHANT_SUSPENDED');
  });
});

describe('an idempotency key', () => {
  test('repeats a balance refusal although the balance has grown', async () => {
    const merchant = world.newMerchant();
    const order = newOrder({ externalId: 'folha-3' });
    world.ledger.setBalance(merchant.merchantId, 14_999);
    const first = await world.client.create(merchant, order, 'k');
    world.ledger.setBalance(merchant.merchantId, 15_000);

    const again = await world.client.create(merchant, order, 'k');

    expect([first.status, isReplay(first)]).toEqual([422, false]);
    expect([again.status, isReplay(again), again.error]).toEqual([422, true, first.error]);
    expect(first.error?.code).toBe('INSUFFICIENT_BALANCE');
    expect((await world.client.create(merchant, order, 'k2')).status).toBe(201);
  });

  test('is free after a refusal before the withdrawal began', async () => {
    const merchant = world.newMerchant({ dailyWithdrawalLimit: 15_000, withdrawalFee: 100 });

    expect((await world.client.create(merchant, newOrder({ amount: 100 }), 'k')).status).toBe(400);
    expect((await world.client.create(merchant, newOrder({ amount: 15_001 }), 'k')).error?.code).toBe(
      'WITHDRAWAL_LIMIT_REACHED',
    );
    expect((await world.client.create(merchant, newOrder(), 'k')).status).toBe(201);
  });

  test('beside a used externalId repeats the response with its withdrawal', async () => {
    const merchant = world.newMerchant({}, 'production');
    const order = newOrder({ externalId: 'folha-4' });
    const first = await world.client.create(merchant, order, 'k1');

    const second = await world.client.create(merchant, order, 'k2');
    const again = await world.client.create(merchant, order, 'k2');

    expect([second.status, isReplay(second), second.data]).toEqual([200, false, first.data]);
    expect([again.status, isReplay(again), again.data]).toEqual([200, true, first.data]);
  });
});

describe('the same externalId', () => {
  const anew = () => newOrder({ externalId: `folha-${newId()}` });

  test('gives the same withdrawal in its current state', async () => {
    const merchant = world.newMerchant({}, 'production');
    const order = anew();
    const first = await world.client.create(merchant, order);

    const again = await world.client.create(merchant, order);

    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.data).toEqual(first.data);
    expect(await world.rowsOf(merchant)).toHaveLength(1);
  });

  test('matches any spelling of the same key', async () => {
    const merchant = world.newMerchant();
    const order = { ...anew(), pixKey: 'maria@exemplo.com', pixKeyType: 'EMAIL' };
    await world.client.create(merchant, order);

    expect((await world.client.create(merchant, { ...order, pixKey: ' MARIA@exemplo.com' })).status).toBe(
      200,
    );
  });

  test.each<[string, Record<string, unknown>]>([
    ['amount', { amount: 15_001 }],
    ['source', { source: 'QR_CODE' }],
    ['key', { pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906' }],
    ['type of key', { pixKey: '11987654321', pixKeyType: 'PHONE' }],
  ])('with another %s is refused', async (_what, changes) => {
    const merchant = world.newMerchant();
    const order = anew();
    await world.client.create(merchant, order);

    expect(await world.client.create(merchant, { ...order, ...changes })).toMatchObject({
      status: 409,
      error: { code: 'EXTERNAL_ID_CONFLICT' },
    });
    expect(await world.rowsOf(merchant)).toHaveLength(1);
  });

  test('is refused when key and destination replace each other', async () => {
    const merchant = world.newMerchant();
    const { externalId, amount, pixKey } = anew();
    const destination = await saved(world, merchant, newPixBody({ pixKey }));
    const bank = await saved(world, merchant, bankBody);
    const byKey = { externalId, amount, pixKey, pixKeyType: 'EVP' };
    const byId = { externalId: `${externalId}-2`, amount, destinationId: destination.id };
    await world.client.create(merchant, byKey);
    await world.client.create(merchant, byId);

    for (const order of [
      { ...byId, externalId },
      { ...byKey, externalId: byId.externalId },
      { ...byId, destinationId: bank.id },
    ]) {
      expect((await world.client.create(merchant, order)).error?.code).toBe('EXTERNAL_ID_CONFLICT');
    }
    expect((await world.client.create(merchant, byId)).status).toBe(200);
  });

  test('finds the withdrawal after its destination or account changed', async () => {
    const merchant = world.newMerchant({ withdrawalFee: 100 }, 'production');
    const { id: destinationId } = await saved(world, merchant);
    const order = { externalId: 'folha-7', amount: 200, destinationId };
    const first = await world.client.create(merchant, order);
    await world.call(merchant, `/v1/destinations/${destinationId}`, { method: 'DELETE' });
    await world.database.query(
      `UPDATE merchants SET snapshot = snapshot || '{"status": "SUSPENDED", "withdrawalFee": 900}'
        WHERE id = $1`,
      [merchant.merchantId],
    );

    const again = await world.client.create(merchant, order);

    const waitingFor = {
      what: 'account',
      since: expect.any(String),
      until: null,
      who: 'platform',
      reason: null,
    };
    expect([again.status, again.data]).toEqual([200, Object.assign({}, first.data, { waitingFor })]);
  });

  test('is free again after a refusal for balance', async () => {
    const merchant = world.newMerchant();
    world.ledger.setBalance(merchant.merchantId, 100);
    const order = anew();

    expect((await world.client.create(merchant, order)).error?.code).toBe('INSUFFICIENT_BALANCE');
    world.ledger.setBalance(merchant.merchantId, 15_000);
    expect((await world.client.create(merchant, { ...order, source: 'QR_CODE' })).status).toBe(201);
    expect((await world.client.create(merchant, { ...order, source: 'QR_CODE' })).status).toBe(200);
  });

  test('is separate for each merchant and environment', async () => {
    const merchant = world.newMerchant();
    const order = anew();
    const answers = [];

    for (const tenant of [
      merchant,
      { ...merchant, environment: 'production' } as const,
      world.newMerchant(),
    ]) {
      answers.push(await world.client.create(tenant, order));
    }

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  });
});
