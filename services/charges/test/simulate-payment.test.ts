import { describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import type { Behaviour } from '@plataforma/testing';
import { doneThen500, doneThenReset, error500, eventually, reset } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { type Answered, newOrder } from './support/client.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

async function pending() {
  const tenant = newTenant();
  const charge = await world.client.newCharge(tenant);
  return {
    ...charge,
    tenant,
    now: () => world.client.charge(tenant, charge.id),
    pix: () => world.provider.book.find(charge.txid)?.payments ?? [],
    simulate: () => world.client.simulate(tenant, charge.id),
  };
}

describe('simulating a payment in the sandbox', () => {
  test('pays the charge through the provider', async () => {
    const { id, txid, now, pix, simulate } = await pending();

    const { status, data } = await simulate();

    const [payment] = pix();
    expect(status).toBe(200);
    expect(data).toEqual({ id, txid, status: 'PAID', paidAt: payment?.horario, message: expect.any(String) });
    expect(await now()).toMatchObject({ status: 'PAID', endToEndId: payment?.endToEndId });
    expect(await world.eventsOf(id)).toMatchObject([{ type: 'charge.paid', environment: 'sandbox' }]);
  });

  test('pays once despite the provider’s own callbacks', async () => {
    const { id, txid, simulate } = await pending();
    const notices: Promise<{ status: number }>[] = [];
    world.provider.next('pay', (perform) => {
      const reply = perform();
      for (let i = 0; i < 5; i += 1) notices.push(world.client.notify(txid));
      return reply;
    });

    const { status } = await simulate();

    const answers = await Promise.all(notices);
    expect([status, ...answers.map((notice) => notice.status)]).toEqual(Array(6).fill(200));
    expect(await world.paymentsOf(id)).toMatchObject([{ is_expected: true }]);
    expect(await world.eventsOf(id)).toHaveLength(1);
  });

  test('twenty times at two replicas pays once', async () => {
    const second = await world.startReplica();
    const { id, tenant, pix } = await pending();

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? world.client : second.client).simulate(tenant, id)),
    );

    const codes = answers.map(({ status, error }) => error?.code ?? status).sort();
    expect(codes).toEqual([200, ...Array(19).fill('CHARGE_NOT_PAYABLE')]);
    expect([pix().length, (await world.eventsOf(id)).length]).toEqual([1, 1]);
    await second.stop();
  });
});

describe.each<[string, (tenant: Tenant, id: string) => Promise<Answered>]>([
  ['by simulation', (tenant, id) => world.client.simulate(tenant, id)],
  ['as its payer', (tenant, id) => world.client.payInSandbox(tenant, id)],
])('paying a sandbox charge %s', (_how, pay) => {
  test('is SANDBOX_ONLY in production, for any charge', async () => {
    const tenant = newTenant('production');
    const { id, txid } = await world.client.newCharge(tenant);

    const answers = await Promise.all([id, newId()].map((each) => pay(tenant, each)));

    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
      Array(2).fill([403, 'SANDBOX_ONLY']),
    );
    expect(world.provider.book.find(txid)?.payments).toEqual([]);
  });

  test.each<[string, (charge: Awaited<ReturnType<typeof pending>>) => Promise<unknown>]>([
    ['PAID', ({ simulate }) => simulate()],
    ['CANCELLED', ({ tenant, id }) => world.client.cancel(tenant, id)],
    ['EXPIRED', ({ id }) => world.letTimeRunOut(id)],
  ])('is CHARGE_NOT_PAYABLE when it is %s', async (state, end) => {
    const charge = await pending();
    await end(charge);
    await eventually(async () => expect(await charge.now()).toMatchObject({ status: state }));
    const before = charge.pix().length;

    const { status, error } = await pay(charge.tenant, charge.id);

    expect([status, error]).toEqual([409, { code: 'CHARGE_NOT_PAYABLE', message: `the charge is ${state}` }]);
    expect(charge.pix()).toHaveLength(before);
  });
});

/** Makes a charge without a code, because its provider failed. */
async function withoutCode() {
  const [tenant, order] = [newTenant(), newOrder()];
  world.provider.next('create', error500);
  await world.client.create(tenant, order);
  const [{ id } = { id: '' }] = await world.attemptsOf(order.externalId);
  const status = async () => (await world.client.charge(tenant, id)).status;
  return { tenant, order, id, status };
}

describe('simulating a payment during a failure', () => {
  test('says how a charge without a code gets one', async () => {
    const { tenant, order, id } = await withoutCode();

    const stuck = await world.client.simulate(tenant, id);
    const created = await world.client.create(tenant, order);

    expect([stuck.status, stuck.error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(stuck.error?.message).toMatch(/no code yet: send its POST \/v1\/charges again/);
    expect(created).toMatchObject({ status: 200, data: { id } });
    expect((await world.client.simulate(tenant, id)).status).toBe(200);
  });

  test.each<[string, Behaviour]>([
    ['without having paid', error500],
    ['on a lost connection', reset],
    ['after it paid', doneThen500],
    ['after it paid, on a lost connection', doneThenReset],
  ])('at the payer’s bank %s can be repeated and pays once', async (_what, behaviour) => {
    const { id, pix, simulate } = await pending();
    world.provider.next('pay', behaviour);

    const stuck = await simulate();
    const again = await simulate();

    expect([stuck.status, stuck.error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect([again.status, pix().length]).toEqual([200, 1]);
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test('at the confirmation can be repeated and pays once', async () => {
    const { id, pix, simulate } = await pending();
    world.provider.next('read', (perform) => perform(), error500);

    const stuck = await simulate();
    const again = await simulate();

    expect([stuck.status, again.status, pix().length]).toEqual([503, 200, 1]);
    expect(await world.eventsOf(id)).toHaveLength(1);
  });
});

describe('a late payment in the sandbox', () => {
  const payLate = (tenant: Tenant, id: string) => world.client.payInSandbox(tenant, id, { late: true });

  test('does not expire a charge without a code', async () => {
    const { tenant, order, id, status } = await withoutCode();

    const refused = await payLate(tenant, id);

    expect([refused.status, refused.error?.code, await status()]).toEqual([
      503,
      'PROVIDER_UNAVAILABLE',
      'PENDING',
    ]);
    await world.client.create(tenant, order);
    expect([(await payLate(tenant, id)).status, await status()]).toEqual([200, 'EXPIRED']);
  });

  test('is CHARGE_NOT_PAYABLE for a charge expired without a code', async () => {
    const { tenant, id, status } = await withoutCode();
    await world.letTimeRunOut(id);
    await eventually(async () => expect(await status()).toBe('EXPIRED'));

    const { status: answered, error } = await payLate(tenant, id);

    expect([answered, error]).toEqual([
      409,
      { code: 'CHARGE_NOT_PAYABLE', message: 'the charge is EXPIRED' },
    ]);
  });
});
