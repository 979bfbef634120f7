import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { z } from 'zod';
import { success } from './support/door.ts';
import { disputeOf, paid, paidByCard, refundOf } from './support/emitter.ts';
import { newTenant, serviceHeader } from './support/identity.ts';
import { sharedWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

const answered = z.object({ data: z.unknown() });
type Asker = NonNullable<Parameters<typeof serviceHeader>[0]>;

describe('the door for refunds', () => {
  const post = (headers: Record<string, string>, body: unknown) =>
    fetch(`${world.first.url}/internal/refunds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  const whole = refundOf(paid(newTenant()));
  test.each([
    ['no id', { ...whole, id: undefined }, 'id'],
    ['an unknown field', { ...whole, note: 'x' }, 'note'],
    ['half a cent', { ...whole, amount: 0.5 }, 'amount'],
    ['nothing', { ...whole, amount: 0 }, 'amount'],
    ['more than the charge', { ...whole, amount: 2_501 }, 'amount'],
    [
      'a fee that contradicts the net',
      { ...whole, charge: { ...whole.charge, netAmount: 1 } },
      'charge.netAmount',
    ],
    [
      'a method nobody refunds',
      { ...whole, charge: { ...whole.charge, paymentMethod: 'BOLETO' } },
      'charge.paymentMethod',
    ],
  ])('does not take %s', async (_what, order, field) => {
    const answer = await post(serviceHeader('charges'), order);

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining(`${field}: `) },
    });
  });

  test('reads an id in capitals as the same id', async () => {
    const refund = refundOf(paid(newTenant()), { id: newId() });
    await world.refund(refund);

    const again = await world.refund({ ...refund, id: refund.id.toUpperCase() });

    expect(again).toEqual(success(refund.id));
  });
});

describe('what a refund could be taken from', () => {
  const ask = async ({ merchantId, environment }: Tenant, chargeId: string, asker: Asker = 'charges') =>
    fetch(
      `${world.first.url}/internal/refundable?${new URLSearchParams({ merchantId, environment, chargeId })}`,
      { headers: serviceHeader(asker) },
    );
  const told = async (tenant: Tenant, chargeId: string) =>
    answered.parse(await (await ask(tenant, chargeId)).json()).data;

  test('is what can be withdrawn, and what of the charge is still to settle', async () => {
    const tenant = newTenant();
    const [pix, card] = [paid(tenant), paidByCard(tenant)];
    const before = await told(tenant, pix.aggregateId);
    await world.tell(pix, card);

    expect(before).toEqual({ withdrawable: 0, pending: 0, isBooked: false });
    const [withdrawable, pending] = [pix.data.netAmount, card.data.netAmount];
    expect(await told(tenant, pix.aggregateId)).toEqual({ withdrawable, pending: 0, isBooked: true });
    expect(await told(tenant, card.aggregateId)).toEqual({ withdrawable, pending, isBooked: true });
    expect(await told(newTenant(), card.aggregateId)).toMatchObject({ withdrawable: 0, pending: 0 });
  });
});

describe('the debt of a dispute', () => {
  const ask = async ({ merchantId, environment }: Tenant, disputeId: string, asker: Asker = 'charges') =>
    fetch(
      `${world.first.url}/internal/dispute-debt?${new URLSearchParams({ merchantId, environment, disputeId })}`,
      { headers: serviceHeader(asker) },
    );
  const debtOf = async (tenant: Tenant, id: string) =>
    answered.parse(await (await ask(tenant, id)).json()).data;

  test('is what its reserve lacked, and stays after the loss', async () => {
    const tenant = newTenant();
    const charge = paid(tenant);
    const [lacking, covered] = [disputeOf(charge), disputeOf(paid(tenant), 1_000)];
    const before = await debtOf(tenant, lacking.id);
    await world.tell(charge, lacking.opened, paid(tenant), covered.opened);

    expect(before).toEqual({ debt: null });
    expect(await debtOf(tenant, lacking.id)).toEqual({ debt: 25 });
    expect(await debtOf(tenant, covered.id)).toEqual({ debt: 0 });
    expect(await debtOf(newTenant(), lacking.id)).toEqual({ debt: null });
    await world.tell(lacking.resolved('RESOLVED_CUSTOMER'));
    expect(await debtOf(tenant, lacking.id)).toEqual({ debt: 25 });
  });
});
