import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { dueByClock } from '@plataforma/service';
import { error500, eventually, merchantUpdated } from '@plataforma/testing';
import { beforeFile, startEmitter, worldOfFile } from '@plataforma/testing/world';
import { newTenant, serviceHeader } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const gateway = beforeFile(() => startEmitter(world.brokerUrl));

beforeAll(() => world.stopFirst(gateway));

const DAY_MS = 86_400_000;

const move = (merchantId: string, days: number, version: number) =>
  gateway.announce(merchantUpdated(merchantId, { sandboxAheadMs: days * DAY_MS, version }));

async function dueOf(merchantId: string) {
  const path = `/internal/sandbox-clock?merchantId=${merchantId}`;
  const { data } = await world.client.send(path, { method: 'GET', headers: serviceHeader('gateway') });
  return dueByClock.parse(data);
}

const untilApplied = (merchantId: string, days: number) =>
  eventually(async () => expect(await dueOf(merchantId)).toMatchObject({ aheadMs: days * DAY_MS }));

const becomes = (tenant: Tenant, id: string, status: string) =>
  eventually(async () => expect(await world.client.charge(tenant, id)).toMatchObject({ status }));

const daysAhead = (time: string | null) => Math.round((Date.parse(time ?? '') - Date.now()) / DAY_MS) + 0;

describe('a sandbox with a moved clock', () => {
  test('expires exactly the charges due by its clock', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const short = await world.client.newCharge(tenant, { expiresIn: 2 * 86_400 });
    const long = await world.client.newCharge(tenant, { expiresIn: 4 * 86_400 });
    const strangers = await world.client.newCharge(other, { expiresIn: 3_600 });

    await move(tenant.merchantId, 3, 2);

    await becomes(tenant, short.id, 'EXPIRED');
    expect((await world.eventsOf(short.id)).map(({ type }) => type)).toEqual(['charge.expired']);
    expect(await dueOf(tenant.merchantId)).toEqual({ aheadMs: 3 * DAY_MS, due: 0 });
    expect(await world.client.charge(tenant, long.id)).toMatchObject({ status: 'PENDING' });
    expect(await world.client.charge(other, strangers.id)).toMatchObject({ status: 'PENDING' });
  });

  test('dates and expires new charges by its clock', async () => {
    const tenant = newTenant();
    await move(tenant.merchantId, 3, 2);
    await untilApplied(tenant.merchantId, 3);

    const charge = await world.client.newCharge(tenant, { expiresIn: 86_400 });
    expect(daysAhead(charge.createdAt)).toBe(3);
    expect(daysAhead(charge.expiresAt)).toBe(4);
    const { serverTime } = Object((await world.client.checkout(charge.id)).data);
    expect(daysAhead(serverTime)).toBe(3);
    const [request] = world.provider.requestsFor(charge.txid, 'create');
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ calendario: { expiracao: 86_400 } });

    await move(tenant.merchantId, 5, 3);
    await becomes(tenant, charge.id, 'EXPIRED');
  });

  test('never moves back, despite late or repeated events', async () => {
    const tenant = newTenant();
    await move(tenant.merchantId, 3, 3);
    await untilApplied(tenant.merchantId, 3);

    await move(tenant.merchantId, 1, 2);
    await move(tenant.merchantId, 3, 3);
    await gateway.announce(merchantUpdated(tenant.merchantId, { version: 4, name: 'Loja nova' }));
    await eventually(async () => {
      const applied = await world.database.query('SELECT version FROM merchants WHERE id = $1', [
        tenant.merchantId,
      ]);
      expect(applied).toEqual([{ version: 4 }]);
    });

    expect(await dueOf(tenant.merchantId)).toMatchObject({ aheadMs: 3 * DAY_MS });
  });

  test('gets its clock from the gateway before any event', async () => {
    const tenant = newTenant();
    world.gateway.describe(tenant.merchantId, { sandboxAheadMs: 2 * DAY_MS });
    await world.client.newCharge(tenant);

    const later = await world.client.newCharge(tenant);

    expect(daysAhead(later.createdAt)).toBe(2);
  });

  test('counts due charges while its provider is down', async () => {
    const tenant = newTenant();
    const charge = await world.client.newCharge(tenant, { expiresIn: 3_600 });
    world.provider.always('read', error500);

    await move(tenant.merchantId, 1, 2);
    await untilApplied(tenant.merchantId, 1);
    expect(await dueOf(tenant.merchantId)).toEqual({ aheadMs: DAY_MS, due: 1 });

    world.provider.always('read');
    await becomes(tenant, charge.id, 'EXPIRED');
    expect(await dueOf(tenant.merchantId)).toEqual({ aheadMs: DAY_MS, due: 0 });
  });
});

test('production keeps the real time despite a moved sandbox', async () => {
  const tenant: Tenant = { merchantId: newId(), environment: 'production' };
  const before = await world.client.newCharge(tenant, { expiresIn: 3_600 });
  await move(tenant.merchantId, 300, 2);
  await untilApplied(tenant.merchantId, 300);

  const after = await world.client.newCharge(tenant, { expiresIn: 3_600 });
  await world.database.query('UPDATE charges SET next_check_at = now() WHERE id = $1', [before.id]);
  const looked = 'SELECT next_check_at > now() AS done FROM charges WHERE id = $1';
  // The lease of a check also moves the time of the next check, so the test waits for the request to the
  // provider too.
  await eventually(async () => {
    expect(world.provider.requestsFor(before.txid, 'read').length).toBeGreaterThan(0);
    expect(await world.database.query(looked, [before.id])).toEqual([{ done: true }]);
  });

  expect(daysAhead(after.createdAt)).toBe(0);
  expect(await world.client.charge(tenant, before.id)).toMatchObject({ status: 'PENDING' });
});
