import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { type Answered, newOrder } from '../support/client.ts';
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
