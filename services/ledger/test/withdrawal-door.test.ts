import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { paid, withdrawalOf } from './support/emitter.ts';
import { newTenant, serviceHeader } from './support/identity.ts';
import { sharedWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

describe('the door for withdrawals', () => {
  const post = (headers: Record<string, string>, body: unknown, query = '') =>
    fetch(`${world.first.url}/internal/withdrawals${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  test.each([
    ['no id', { id: undefined }, 'id'],
    ['no merchant', { merchantId: undefined }, 'merchantId'],
    ['an environment nobody knows', { environment: 'staging' }, 'environment'],
    ['an unknown field', { note: 'x' }, 'note'],
    ['half a cent', { netAmount: 0.5 }, 'netAmount'],
    ['nothing', { netAmount: 0 }, 'netAmount'],
    ['less than nothing', { netAmount: -1 }, 'netAmount'],
    ['a fee below nothing', { fee: -1 }, 'fee'],
    ['a method nobody pays by', { method: 'CARD' }, 'method'],
    ['no time', { occurredAt: 'yesterday' }, 'occurredAt'],
  ])('does not take %s', async (_what, change, field) => {
    const answer = await post(serviceHeader('withdrawals'), {
      ...withdrawalOf(newTenant()).order,
      ...change,
    });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining(`${field}: `) },
    });
  });

  test('remembers a refusal, but not of what is asked for again after a restore', async () => {
    const tenant = newTenant();
    const [first, restored] = [withdrawalOf(tenant), withdrawalOf(tenant)];
    const again = (order: object) => post(serviceHeader('withdrawals'), order, '?again=true');

    expect((await post(serviceHeader('withdrawals'), first.order)).status).toBe(422);
    expect((await again(restored.order)).status).toBe(422);
    await world.tell(paid(tenant));

    expect((await again(first.order)).status).toBe(422);
    expect((await again(restored.order)).status).toBe(200);
    expect((await world.withdraw(restored.order)).status).toBe(200);
    expect((await post(serviceHeader('withdrawals'), first.order, '?again=yes')).status).toBe(400);
  });

  test('reads an id in capitals as the same id', async () => {
    const tenant = newTenant();
    await world.tell(paid(tenant));
    const { id, order } = withdrawalOf(tenant);
    await world.withdraw(order);

    const again = await world.withdraw({ ...order, id: id.toUpperCase() });

    expect(again).toEqual({ status: 200, answer: { success: true, data: { id } } });
  });
});

describe('what can be withdrawn', () => {
  const ask = (tenant: { merchantId: string; environment: string }, headers = serviceHeader('withdrawals')) =>
    fetch(`${world.first.url}/internal/withdrawable?${new URLSearchParams({ ...tenant })}`, { headers });

  test('is answered to charges and withdrawals, of each environment for itself', async () => {
    const tenant = newTenant();
    const charge = paid(tenant);
    await world.tell(charge);
    const { order } = withdrawalOf(tenant);
    const other = tenant.environment === 'sandbox' ? 'production' : 'sandbox';

    const { data } = z.object({ data: sum }).parse(await (await ask(tenant)).json());
    expect(await (await ask(tenant, serviceHeader('charges'))).json()).toMatchObject({ data });
    expect(data.withdrawable).toBeGreaterThan(order.netAmount);
    expect(await (await ask({ ...tenant, environment: other })).json()).toMatchObject({
      data: { withdrawable: 0 },
    });
  });

  test('is told of nothing that is no merchant', async () => {
    expect((await ask({ merchantId: 'x', environment: 'sandbox' })).status).toBe(400);
  });
});

const sum = z.object({ withdrawable: z.int() });
