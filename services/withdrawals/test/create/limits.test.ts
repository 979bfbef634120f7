import { beforeEach, describe, expect, test } from '@jest/globals';
import { bankDayOf, newId, type Tenant } from '@plataforma/kernel';
import { error500, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { farFromMidnight } from '../support/day-orders.ts';
import { bankBody, saved } from '../support/destination-bodies.ts';
import { serviceHeader } from '../support/identity.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

describe('the daily limit', () => {
  const refusal = (limit: number, ordered: number) => ({
    status: 422,
    error: {
      code: 'WITHDRAWAL_LIMIT_REACHED',
      message: `the account may withdraw ${limit} a day (America/Sao_Paulo), of which ${ordered} are ordered`,
    },
  });
  const limited = (dailyWithdrawalLimit: number | null) =>
    world.newMerchant({ dailyWithdrawalLimit }, 'production');
  const order = (merchant: Tenant, amount: number) => world.client.create(merchant, newOrder({ amount }));

  beforeEach(farFromMidnight);

  test('can be used up exactly', async () => {
    const merchant = limited(30_000);

    expect((await order(merchant, 20_000)).status).toBe(201);
    expect(await order(merchant, 10_001)).toMatchObject(refusal(30_000, 20_000));
    expect((await order(merchant, 10_000)).status).toBe(201);
    expect(await order(merchant, 100)).toMatchObject(refusal(30_000, 30_000));
    expect(await world.client.list(merchant)).toMatchObject({ meta: { total: 2 } });
  });

  test('of 0 allows nothing, a missing one everything', async () => {
    expect(await order(limited(0), 100)).toMatchObject(refusal(0, 0));
    expect((await order(limited(null), 99_999_900)).status).toBe(201);
  });

  test('counts the ordered amount without the fee on top', async () => {
    const fees = { withdrawalFee: 500, withdrawalFeeMode: 'BALANCE' } as const;
    const merchant = world.newMerchant({ ...fees, dailyWithdrawalLimit: 10_000 }, 'production');

    expect((await order(merchant, 10_000)).status).toBe(201);
    expect((await order(merchant, 100)).status).toBe(422);
  });

  test('applies to one merchant in one environment', async () => {
    const merchant = limited(10_000);
    await order(merchant, 10_000);

    expect((await order({ ...merchant, environment: 'sandbox' }, 10_000)).status).toBe(201);
    expect((await order(limited(10_000), 10_000)).status).toBe(201);
    expect((await order(merchant, 100)).status).toBe(422);
  });

  test('of a new merchant does not apply to its sandbox', async () => {
    const sandboxLimits = { dailyWithdrawalLimit: null, destinationCooldownHours: 0 };
    const merchant = world.newMerchant({ dailyWithdrawalLimit: 10_000, sandboxLimits }, 'production');

    expect((await order(merchant, 10_001)).status).toBe(422);
    expect((await order({ ...merchant, environment: 'sandbox' }, 10_001)).status).toBe(201);
  });

  test('counts bank transfers too', async () => {
    const merchant = limited(10_000);
    const { id } = await saved(world, merchant, bankBody);

    await world.client.create(merchant, { amount: 9_950, destinationId: id });

    expect((await order(merchant, 100)).status).toBe(422);
  });

  test('is freed by rejected and failed withdrawals', async () => {
    const merchant = limited(20_000);
    const { id: destinationId } = await saved(world, merchant, bankBody);
    const rejected = await world.client.newWithdrawal(merchant, { amount: 10_000 });
    const failed = await world.client.newWithdrawal(merchant, { amount: 10_000, destinationId });
    expect((await order(merchant, 100)).status).toBe(422);

    await world.client.reject(rejected.id, newId());
    expect((await order(merchant, 10_001)).status).toBe(422);
    expect((await order(merchant, 10_000)).status).toBe(201);

    await world.client.approve(failed.id, newId());
    await eventually(async () => expect((await world.client.fail(failed.id, newId())).status).toBe(200));
    expect((await order(merchant, 10_001)).status).toBe(422);
    expect((await order(merchant, 10_000)).status).toBe(201);
  });

  test('is freed by withdrawals refused for balance or undone', async () => {
    const merchant = limited(10_000);
    world.ledger.setBalance(merchant.merchantId, 0);
    expect((await order(merchant, 10_000)).error?.code).toBe('INSUFFICIENT_BALANCE');
    world.ledger.setBalance(merchant.merchantId, 100_000);

    world.ledger.nextFor(merchant.merchantId, error500);
    expect((await order(merchant, 10_000)).status).toBe(503);
    await eventually(async () => expect((await order(merchant, 10_000)).status).toBe(201));

    expect((await order(merchant, 100)).status).toBe(422);
  });

  test('starts anew at midnight in São Paulo', async () => {
    const merchant = limited(10_000);
    const { id } = await world.client.newWithdrawal(merchant, { amount: 10_000 });
    const { from } = bankDayOf(new Date());
    const moveTo = (instant: Date) =>
      world.database.query('UPDATE withdrawals SET created_at = $2 WHERE id = $1', [id, instant]);

    await moveTo(from);
    expect((await order(merchant, 100)).status).toBe(422);
    await moveTo(new Date(from.getTime() - 1));
    expect((await order(merchant, 10_000)).status).toBe(201);
    expect((await order(merchant, 100)).status).toBe(422);
  });
});

describe('the amount ordered today', () => {
  const orderedToday = (merchantId: string, headers = serviceHeader()) =>
    world.client.send(`/internal/ordered-today?merchantId=${merchantId}`, { method: 'GET', headers });

  test('is reported by environment without returned withdrawals', async () => {
    const merchant = world.newMerchant({}, 'production');
    const rejected = await world.client.newWithdrawal(merchant, { amount: 50_000 });
    await world.client.newWithdrawal(merchant, { amount: 10_000 });
    await world.client.newWithdrawal({ ...merchant, environment: 'sandbox' }, { amount: 700 });
    await world.client.reject(rejected.id, newId());

    const { day, until } = bankDayOf(new Date());
    expect(await orderedToday(merchant.merchantId)).toMatchObject({
      status: 200,
      data: { day, until: until.toISOString(), production: 10_000, sandbox: 700 },
    });
    expect(await orderedToday(newId())).toMatchObject({ data: { production: 0, sandbox: 0 } });
  });

  test('is refused without a valid merchant id', async () => {
    expect((await orderedToday('nobody')).status).toBe(400);
  });
});
