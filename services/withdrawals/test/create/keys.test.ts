import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { type Answered, newOrder } from '../support/client.ts';
import { sharedWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

const isReplay = ({ headers }: Answered) => headers.get('idempotency-replayed') === 'true';
const rowsOf = ({ merchantId }: { merchantId: string }) =>
  world.database.query<{ id: string; status: string }>(
    'SELECT id, status FROM withdrawals WHERE merchant_id = $1 ORDER BY id',
    [merchantId],
  );

describe('an order sent again with its Idempotency-Key', () => {
  test('is answered as the first time, whatever has become of the withdrawal', async () => {
    const merchant = world.newMerchant();
    const order = newOrder();
    const first = await world.client.create(merchant, order, 'folha 1');
    await eventually(async () => expect(await rowsOf(merchant)).toMatchObject([{ status: 'COMPLETED' }]));

    const again = await world.client.create(merchant, order, 'folha 1');

    expect([first.status, isReplay(first)]).toEqual([201, false]);
    expect([again.status, isReplay(again), again.data]).toEqual([201, true, first.data]);
    expect(world.ledger.asked.filter(({ merchantId }) => merchantId === merchant.merchantId)).toHaveLength(1);
  });

  test('is the same in whatever order its fields stand', async () => {
    const merchant = world.newMerchant();
    const order = newOrder({ externalId: 'folha-2' });
    const first = await world.client.create(merchant, order, 'k');

    const turned = Object.fromEntries(Object.entries(order).toReversed());
    const again = await world.client.create(merchant, JSON.stringify(turned, null, 2), 'k');

    expect([again.status, isReplay(again), again.data]).toEqual([201, true, first.data]);
  });

  test('is another order when its amount is another', async () => {
    const merchant = world.newMerchant();
    const order = newOrder();
    await world.client.create(merchant, order, 'k');

    expect(await world.client.create(merchant, { ...order, amount: 15_001 }, 'k')).toMatchObject({
      status: 409,
      error: { code: 'IDEMPOTENCY_CONFLICT' },
    });
    expect(await rowsOf(merchant)).toHaveLength(1);
  });

  test('is answered though the account was suspended since', async () => {
    const merchant = world.newMerchant({}, 'production');
    const order = newOrder();
    const first = await world.client.create(merchant, order, 'k');
    await world.database.query(
      `UPDATE merchants SET snapshot = snapshot || '{"status": "SUSPENDED"}' WHERE id = $1`,
      [merchant.merchantId],
    );

    expect(await world.client.create(merchant, order, 'k')).toMatchObject({ status: 201, data: first.data });
    expect((await world.client.create(merchant, order, 'k2')).error?.code).toBe('MERCHANT_SUSPENDED');
  });
});

describe('a key', () => {
  test('is not shared with destinations', async () => {
    const merchant = world.newMerchant();
    const { pixKey, pixKeyType } = newOrder();
    const body = { type: 'PIX', pixKey, pixKeyType, amount: 15_000 };
    const headers = { 'idempotency-key': 'k' };

    const saving = await world.call(merchant, '/v1/destinations', { method: 'POST', body, headers });

    expect(saving.status).toBe(201);
    expect((await world.client.create(merchant, body, 'k')).error?.code).toBe('IDEMPOTENCY_CONFLICT');
    expect(await rowsOf(merchant)).toEqual([]);
  });

  test('of another merchant or environment is another', async () => {
    const merchant = world.newMerchant();
    const order = newOrder();
    const tenants = [merchant, { ...merchant, environment: 'production' } as const, world.newMerchant()];

    const ids = new Set<unknown>();
    for (const tenant of tenants) {
      const answer = await world.client.create(tenant, order, 'k');
      expect([answer.status, isReplay(answer)]).toEqual([201, false]);
      ids.add(JSON.stringify(answer.data));
    }

    expect(ids.size).toBe(3);
  });

  test('remembers that the balance did not cover it, though it grew', async () => {
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

  test('is free when the order was refused before anything was begun', async () => {
    const merchant = world.newMerchant({ dailyWithdrawalLimit: 15_000, withdrawalFee: 100 });

    expect((await world.client.create(merchant, newOrder({ amount: 100 }), 'k')).status).toBe(400);
    expect((await world.client.create(merchant, newOrder({ amount: 15_001 }), 'k')).error?.code).toBe(
      'WITHDRAWAL_LIMIT_REACHED',
    );
    expect((await world.client.create(merchant, newOrder(), 'k')).status).toBe(201);
  });

  test('beside a known externalId keeps the answer that names its withdrawal', async () => {
    const merchant = world.newMerchant({}, 'production');
    const order = newOrder({ externalId: 'folha-4' });
    const first = await world.client.create(merchant, order, 'k1');

    const second = await world.client.create(merchant, order, 'k2');
    const again = await world.client.create(merchant, order, 'k2');

    expect([second.status, isReplay(second), second.data]).toEqual([200, false, first.data]);
    expect([again.status, isReplay(again), again.data]).toEqual([200, true, first.data]);
  });

  test.each(['', 'k'.repeat(256), 'a\tb', 'chave-é'])('can’t be %j', async (key) => {
    const merchant = world.newMerchant();

    const answer = await world.client.create(merchant, newOrder(), key);

    expect([answer.status, answer.error]).toEqual([
      400,
      {
        code: 'VALIDATION_ERROR',
        message: 'Idempotency-Key: must be 1 to 255 printable characters',
      },
    ]);
    expect(await rowsOf(merchant)).toEqual([]);
  });
});
