import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bankDayOf, newId, type Tenant } from '@plataforma/kernel';
import { error500, eventually } from '@plataforma/testing';
import { newOrder } from '../support/client.ts';
import { bankBody, newPixBody, saved } from '../support/destination-bodies.ts';
import { merchantHeader, newTenant, serviceHeader } from '../support/identity.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const HOUR_MS = 3_600_000;

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

  beforeEach(async () => {
    // A test that is on the way at midnight would see two days.
    const left = bankDayOf(new Date()).until.getTime() - Date.now();
    if (left < 60_000) await sleep(left + 1_000);
  });

  test('is reached exactly', async () => {
    const merchant = limited(30_000);

    expect((await order(merchant, 20_000)).status).toBe(201);
    expect(await order(merchant, 10_001)).toMatchObject(refusal(30_000, 20_000));
    expect((await order(merchant, 10_000)).status).toBe(201);
    expect(await order(merchant, 100)).toMatchObject(refusal(30_000, 30_000));
    expect(await world.client.list(merchant)).toMatchObject({ meta: { total: 2 } });
  });

  test('of 0 lets nothing out, and none all', async () => {
    expect(await order(limited(0), 100)).toMatchObject(refusal(0, 0));
    expect((await order(limited(null), 99_999_900)).status).toBe(201);
  });

  test('counts what is ordered, of which the fee is a part or not', async () => {
    const fees = { withdrawalFee: 500, withdrawalFeeMode: 'BALANCE' } as const;
    const merchant = world.newMerchant({ ...fees, dailyWithdrawalLimit: 10_000 }, 'production');

    expect((await order(merchant, 10_000)).status).toBe(201);
    expect((await order(merchant, 100)).status).toBe(422);
  });

  test('is of one merchant in one environment', async () => {
    const merchant = limited(10_000);
    await order(merchant, 10_000);

    expect((await order({ ...merchant, environment: 'sandbox' }, 10_000)).status).toBe(201);
    expect((await order(limited(10_000), 10_000)).status).toBe(201);
    expect((await order(merchant, 100)).status).toBe(422);
  });

  test('counts bank transfers too', async () => {
    const merchant = limited(10_000);
    const { id } = await saved(world, merchant, { ...bankBody, holderDocument: '52998224725' });

    await world.client.create(merchant, { amount: 9_950, destinationId: id });

    expect((await order(merchant, 100)).status).toBe(422);
  });

  test('has room again for what was rejected, and for what failed', async () => {
    const merchant = limited(20_000);
    const { id: destinationId } = await saved(world, merchant, {
      ...bankBody,
      holderDocument: '52998224725',
    });
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

  test('has room again for what the balance did not cover, and for what was undone', async () => {
    const merchant = limited(10_000);
    world.ledger.setBalance(merchant.merchantId, 0);
    expect((await order(merchant, 10_000)).error?.code).toBe('INSUFFICIENT_BALANCE');
    world.ledger.setBalance(merchant.merchantId, 100_000);

    world.ledger.nextFor(merchant.merchantId, error500);
    expect((await order(merchant, 10_000)).status).toBe(503);
    await eventually(async () => expect((await order(merchant, 10_000)).status).toBe(201));

    expect((await order(merchant, 100)).status).toBe(422);
  });

  test('begins anew at midnight of São Paulo', async () => {
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

describe('what counts of a day', () => {
  const asked = (merchantId: string, headers = serviceHeader()) =>
    world.client.send(`/internal/ordered-today?merchantId=${merchantId}`, { method: 'GET', headers });

  test('is told to the gateway for each environment, without what came back', async () => {
    const merchant = world.newMerchant({}, 'production');
    const rejected = await world.client.newWithdrawal(merchant, { amount: 50_000 });
    await world.client.newWithdrawal(merchant, { amount: 10_000 });
    await world.client.newWithdrawal({ ...merchant, environment: 'sandbox' }, { amount: 700 });
    await world.client.reject(rejected.id, newId());

    const { day, until } = bankDayOf(new Date());
    expect(await asked(merchant.merchantId)).toMatchObject({
      status: 200,
      data: { day, until: until.toISOString(), production: 10_000, sandbox: 700 },
    });
    expect(await asked(newId())).toMatchObject({ data: { production: 0, sandbox: 0 } });
  });

  test('is told to nobody else', async () => {
    const { merchantId } = world.newMerchant();

    expect((await asked(merchantId, merchantHeader(newTenant()))).status).toBe(401);
    expect((await asked('nobody')).status).toBe(400);
  });
});

describe('a payee that is new', () => {
  const cautious = (environment: Tenant['environment'] = 'production') =>
    world.newMerchant({ destinationCooldownHours: 24, autoApproveLimit: 1_000_000 }, environment);
  const ageOf = async (id: string) => {
    const row = await world.rowOf(id);
    const [from, createdAt] = [row?.payable_from, row?.created_at];
    return from instanceof Date && createdAt instanceof Date
      ? (from.getTime() - createdAt.getTime()) / HOUR_MS
      : null;
  };
  /** Puts the making of a withdrawal or destination back by so many hours. */
  const makeOlder = (table: 'withdrawals' | 'destinations', id: string, hours: number) =>
    world.database.queryUnprepared(
      `UPDATE ${table} SET created_at = created_at - $2 * interval '1 hour' WHERE id = $1`,
      [id, hours],
    );

  test('is not paid before its time, and then it is', async () => {
    const merchant = cautious();
    const { id } = await world.client.newWithdrawal(merchant);
    const row = await world.rowOf(id);
    expect(await ageOf(id)).toBe(24);
    expect(row).toMatchObject({ status: 'PENDING', next_check_at: row?.payable_from });

    // A clock that looks too early lets it wait.
    await world.lookNow(id);
    await eventually(async () =>
      expect(await world.rowOf(id)).toMatchObject({ checks: 1, next_check_at: row?.payable_from }),
    );
    expect(await world.rowOf(id)).toMatchObject({ status: 'PENDING' });
    expect(world.bank.payoutOf(id)).toBeUndefined();

    await world.database.query(
      `UPDATE withdrawals SET payable_from = now() - interval '1 s', next_check_at = now() WHERE id = $1`,
      [id],
    );
    await eventually(async () => expect(await world.rowOf(id)).toMatchObject({ status: 'COMPLETED' }));
  });

  test('is not paid before its time though an operator approves it, and may be rejected until then', async () => {
    const merchant = world.newMerchant({ destinationCooldownHours: 24 }, 'production');
    const [first, second] = [
      await world.client.newWithdrawal(merchant),
      await world.client.newWithdrawal(merchant),
    ];
    const operatorId = newId();

    await world.client.approve(first.id, operatorId);
    await world.client.approve(second.id, operatorId);
    const again = await world.client.approve(first.id, newId());

    const row = await world.rowOf(first.id);
    expect(row).toMatchObject({
      status: 'PENDING',
      first_approver: operatorId,
      next_check_at: row?.payable_from,
    });
    expect(again).toMatchObject({ status: 409, error: { code: 'INVALID_STATE' } });
    expect(await world.client.reject(second.id, newId())).toMatchObject({ data: { status: 'REJECTED' } });
    await world.database.query(
      `UPDATE withdrawals SET payable_from = now() - interval '1 s', next_check_at = now() WHERE id = $1`,
      [first.id],
    );
    await eventually(async () => expect(await world.rowOf(first.id)).toMatchObject({ status: 'COMPLETED' }));
  });

  test('is so until as long after it was first paid as the account says', async () => {
    const merchant = cautious();
    const { pixKey } = newOrder();
    const first = await world.client.newWithdrawal(merchant, { pixKey });

    await makeOlder('withdrawals', first.id, 23);
    const early = await world.client.newWithdrawal(merchant, { pixKey });
    await makeOlder('withdrawals', first.id, 1.01);
    const late = await world.client.newWithdrawal(merchant, { pixKey });

    expect(await ageOf(early.id)).toBeCloseTo(1, 1);
    expect(await ageOf(late.id)).toBeNull();
  });

  test.each([
    ['a key', newPixBody],
    ['a bank account', () => ({ ...bankBody, holderDocument: '52998224725' })],
  ])('is so until as long after it was saved as the account says: %s', async (_what, body) => {
    const merchant = cautious();
    const { id: destinationId } = await saved(world, merchant, body());

    const early = await world.client.newWithdrawal(merchant, { destinationId });
    await makeOlder('destinations', destinationId, 24.01);
    const late = await world.client.newWithdrawal(merchant, { destinationId });

    expect(await ageOf(early.id)).toBeCloseTo(24, 1);
    expect(await ageOf(late.id)).toBeNull();
  });

  test('is not so when its key was saved long ago, and is so when it was deleted', async () => {
    const merchant = cautious();
    const [kept, deleted] = [newPixBody(), newPixBody()];
    const ids = [(await saved(world, merchant, kept)).id, (await saved(world, merchant, deleted)).id];
    for (const id of ids) await makeOlder('destinations', id, 25);
    await world.call(merchant, `/v1/destinations/${ids[1]}`, { method: 'DELETE' });

    const byKept = await world.client.newWithdrawal(merchant, { pixKey: kept.pixKey });
    const byDeleted = await world.client.newWithdrawal(merchant, { pixKey: deleted.pixKey });

    expect([await ageOf(byKept.id), await ageOf(byDeleted.id)]).toEqual([null, 24]);
  });

  test('is so though others know it, or an order to it came to nothing', async () => {
    const merchant = cautious();
    const { pixKey } = newOrder();
    const [others, sandbox] = [cautious(), { ...merchant, environment: 'sandbox' } as const];
    for (const tenant of [others, sandbox]) {
      await makeOlder('withdrawals', (await world.client.newWithdrawal(tenant, { pixKey })).id, 25);
      await makeOlder('destinations', (await saved(world, tenant, newPixBody({ pixKey }))).id, 25);
    }
    world.ledger.setBalance(merchant.merchantId, 0);
    expect((await world.client.create(merchant, newOrder({ pixKey }))).status).toBe(422);
    await world.database.query(
      `UPDATE withdrawals SET created_at = now() - interval '25 hours' WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    world.ledger.setBalance(merchant.merchantId, 100_000);

    const { id } = await world.client.newWithdrawal(merchant, { pixKey });

    expect(await ageOf(id)).toBe(24);
  });

  test('is so though an operator has rejected an order to it long ago', async () => {
    const merchant = world.newMerchant({ destinationCooldownHours: 24 }, 'production');
    const { pixKey } = newOrder();
    const rejected = await world.client.newWithdrawal(merchant, { pixKey });
    await world.client.reject(rejected.id, newId());
    await makeOlder('withdrawals', rejected.id, 25);

    const { id } = await world.client.newWithdrawal(merchant, { pixKey });

    expect(await ageOf(id)).toBe(24);
  });

  test('is paid at once in the sandbox, and where the account has no such rule', async () => {
    const sandbox = await world.client.newWithdrawal(cautious('sandbox'));
    const trusting = world.newMerchant({ autoApproveLimit: 1_000_000 }, 'production');
    const { id } = await world.client.newWithdrawal(trusting);

    expect([await ageOf(sandbox.id), await ageOf(id)]).toEqual([null, null]);
  });
});
