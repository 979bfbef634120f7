import { beforeEach, describe, expect, test } from '@jest/globals';
import type { MerchantSnapshot } from '@plataforma/events';
import { newId, type Tenant } from '@plataforma/kernel';
import { error500, eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { farFromMidnight, moveToMidnight, splitOf } from '../support/day-orders.ts';
import { bankBody, saved } from '../support/destination-bodies.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);
const replica = beforeFile(async () => (await world.startReplica()).client);

beforeEach(farFromMidnight);

const limited = (traits: Partial<MerchantSnapshot> = {}) =>
  world.newMerchant({ autoApproveLimit: 50_000, ...traits }, 'production');
const order = (merchant: Tenant, amount = 10_000) => world.client.newWithdrawal(merchant, { amount });
const expectSplit = (merchant: Tenant, left: number) =>
  splitOf(world, merchant, { left, reason: 'auto_approve_limit' });
const statusOf = async (merchant: Tenant, id: string) => (await world.client.withdrawal(merchant, id)).status;
const becomes = (merchant: Tenant, id: string, status: string) =>
  eventually(async () => expect(await statusOf(merchant, id)).toBe(status));

describe('ten withdrawals within the limit of one', () => {
  test('leave one after another only up to the sum of the day', async () => {
    const merchant = limited();

    const ids: string[] = [];
    for (let number = 0; number < 10; number += 1) ids.push((await order(merchant)).id);

    const { left, waiting } = await expectSplit(merchant, 5);
    expect([left, waiting]).toEqual([ids.slice(0, 5), ids.slice(5)]);
  });

  test('leave at once, on two replicas, only up to the sum of the day', async () => {
    const merchant = limited({ autoApproveLimit: 59_999 });
    const clients = [world.client, replica];

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        clients[index % 2]?.create(merchant, newOrder({ amount: 10_000 }), `order-${index}`),
      ),
    );

    expect(answers.map((answer) => answer?.status)).toEqual(Array(10).fill(201));
    const { waiting } = await expectSplit(merchant, 5);
    await world.client.approve(String(waiting[0]), newId());
    await becomes(merchant, String(waiting[0]), 'COMPLETED');
    await expectSplit(merchant, 6);
  });

  test('are each shown to operators with the reason of their wait', async () => {
    const merchant = limited({ autoApproveLimit: 10_000 });
    await order(merchant);
    await order(merchant);

    expect(await world.client.asOperator(`/withdrawals?merchantId=${merchant.merchantId}`)).toMatchObject({
      data: [{ approvalsNeeded: 1, waitingFor: { reason: 'auto_approve_limit' } }, { approvalsNeeded: 0 }],
    });
  });
});

test('an amount above the limit waits without a reason of the day', async () => {
  const merchant = limited();

  const { waitingFor } = await order(merchant, 50_001);

  expect(waitingFor).toMatchObject({ what: 'approval', reason: null });
});

describe('the sum of the day', () => {
  test('counts a repeated request once', async () => {
    const merchant = limited({ autoApproveLimit: 20_000 });
    const repeated = newOrder({ amount: 10_000, externalId: 'folha-1' });

    for (let number = 0; number < 3; number += 1) await world.client.create(merchant, repeated, 'key');
    await world.client.create(merchant, repeated);
    await order(merchant);

    await expectSplit(merchant, 2);
  });

  test('starts anew at midnight in São Paulo', async () => {
    const merchant = limited({ autoApproveLimit: 10_000 });
    await order(merchant);
    await expectSplit(merchant, 1);

    await moveToMidnight(world, merchant, 0);
    await order(merchant);
    await expectSplit(merchant, 1);

    await moveToMidnight(world, merchant, -1);
    await order(merchant);
    await expectSplit(merchant, 2);
  });

  test('is freed by failed, rejected and cancelled withdrawals', async () => {
    const merchant = limited({ autoApproveLimit: 30_000, destinationCooldownHours: 24 });
    const [failed, rejected, cancelled] = [
      await order(merchant),
      await order(merchant),
      await order(merchant),
    ];
    expect((await order(merchant)).waitingFor).toMatchObject({ reason: 'auto_approve_limit' });

    await world.client.reject(rejected.id, newId());
    expect((await order(merchant)).waitingFor).toMatchObject({ what: 'cooldown' });
    await world.client.cancel(merchant, cancelled.id);
    expect((await order(merchant)).waitingFor).toMatchObject({ what: 'cooldown' });
    world.bank.next('order', () => ({ status: 400, body: { nome: 'chave_invalida' } }));
    await world.makePayable(failed.id);
    await becomes(merchant, failed.id, 'FAILED');
    expect((await order(merchant)).waitingFor).toMatchObject({ what: 'cooldown' });
    expect((await order(merchant)).waitingFor).toMatchObject({ reason: 'auto_approve_limit' });
  });

  test('is freed by withdrawals refused for balance or undone', async () => {
    const merchant = limited({ autoApproveLimit: 10_000 });
    world.ledger.setBalance(merchant.merchantId, 0);
    expect((await world.client.create(merchant, newOrder({ amount: 10_000 }))).status).toBe(422);
    world.ledger.setBalance(merchant.merchantId, 100_000);
    world.ledger.nextFor(merchant.merchantId, error500);
    expect((await world.client.create(merchant, newOrder({ amount: 10_000 }))).status).toBe(503);
    await eventually(async () =>
      expect((await world.rowsOf(merchant)).map(({ status }) => status)).toEqual(['REFUSED', 'ABANDONED']),
    );

    const { id } = await order(merchant);

    await becomes(merchant, id, 'COMPLETED');
  });

  test('leaves out bank transfers and withdrawals that operators approved', async () => {
    const merchant = limited({ autoApproveLimit: 10_000 });
    const { id: destinationId } = await saved(world, merchant, bankBody);
    await world.client.newWithdrawal(merchant, { amount: 10_000, destinationId });
    const large = await order(merchant, 10_001);
    await world.client.approve(large.id, newId());

    const { id } = await order(merchant);

    await becomes(merchant, id, 'COMPLETED');
  });

  test('counts one merchant in production', async () => {
    const merchant = limited({ autoApproveLimit: 10_000 });
    await order({ ...merchant, environment: 'sandbox' });
    await order(limited());

    const { id } = await order(merchant);

    await becomes(merchant, id, 'COMPLETED');
  });

  test('needs no approval in the sandbox', async () => {
    const merchant = {
      ...limited({ autoApproveLimit: 0, newPayeesPerDay: 0 }),
      environment: 'sandbox',
    } as const;

    const { id } = await order(merchant);

    await becomes(merchant, id, 'COMPLETED');
  });
});

describe('the scheduler', () => {
  const coolingDown = async (traits: Partial<MerchantSnapshot> = {}) => {
    const merchant = limited({ destinationCooldownHours: 24, ...traits });
    const ids = [await order(merchant), await order(merchant), await order(merchant)].map(({ id }) => id);
    return { merchant, ids, pay: () => Promise.all(ids.map((id) => world.makePayable(id))) };
  };

  test('respects a lowered limit for withdrawals that wait', async () => {
    const { merchant, pay } = await coolingDown();

    await world.changeMerchant(merchant, { autoApproveLimit: 20_000 });
    await pay();

    const { waiting } = await expectSplit(merchant, 2);
    await world.client.approve(String(waiting[0]), newId());
    await expectSplit(merchant, 3);
  });

  test('respects a lowered number of new payees', async () => {
    const { merchant, pay } = await coolingDown({ newPayeesPerDay: 3 });

    await world.changeMerchant(merchant, { newPayeesPerDay: 1 });
    await pay();

    await splitOf(world, merchant, { left: 1, reason: 'new_payees_per_day' });
  });

  const expectWait = (merchant: Tenant, id: string) =>
    eventually(async () =>
      expect(await world.client.withdrawal(merchant, id)).toMatchObject({
        ...{ status: 'PENDING', waitingFor: { what: 'approval', reason: 'auto_approve_limit' } },
      }),
    );

  test('respects an amount that was raised meanwhile', async () => {
    const { merchant, ids } = await coolingDown();
    const raise = 'UPDATE withdrawals SET amount_cents = 30001, net_cents = 30001 WHERE id = $1';
    await world.database.query(raise, [ids[0]]);

    await world.makePayable(String(ids[0]));

    await expectWait(merchant, String(ids[0]));
  });

  test('sums the day for a withdrawal of a replica without this rule', async () => {
    const merchant = limited({ autoApproveLimit: 10_000 });
    const first = await order(merchant);
    await becomes(merchant, first.id, 'COMPLETED');
    const { id } = await order(merchant);
    const asBefore = `
      UPDATE withdrawals SET approvals_needed = 0, approval_reason = NULL, next_check_at = now()
      WHERE id = $1`;

    await world.database.query(asBefore, [id]);

    await expectWait(merchant, id);
  });

  test('pays a withdrawal that an operator approved in its cool-down', async () => {
    const { merchant, ids, pay } = await coolingDown();
    await world.client.approve(String(ids[0]), newId());

    await world.changeMerchant(merchant, { autoApproveLimit: 0 });
    await pay();

    const { left } = await expectSplit(merchant, 1);
    expect(left).toEqual([ids[0]]);
  });
});

describe('a quote', () => {
  const approvals = async (merchant: Tenant, amount: number) => {
    const body = { type: 'withdrawal', ...newOrder({ amount }) };
    const { data } = await world.call(merchant, '/v1/quotes', { method: 'POST', body });
    return Object(data).approvalsNeeded;
  };

  test('counts the approvals by the sum of the day', async () => {
    const merchant = limited();
    await order(merchant, 30_000);

    expect([await approvals(merchant, 20_000), await approvals(merchant, 20_001)]).toEqual([0, 1]);
    expect(await approvals({ ...merchant, environment: 'sandbox' }, 20_001)).toBe(0);
  });

  test('counts the approvals by the new payees of the day', async () => {
    const merchant = limited({ newPayeesPerDay: 1 });

    const before = await approvals(merchant, 1_000);
    await order(merchant);

    expect([before, await approvals(merchant, 1_000)]).toEqual([0, 1]);
  });
});
