import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import { disputeOpened, paid } from '../support/emitter.ts';
import { eventOf } from '../support/history.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { type Read, read } from '../support/reader.ts';
import { sharedWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

const page = z.array(api.listEvents.data);
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const dayOf = (instant: string) => instant.slice(0, 10);

const get = (tenant: Tenant, path = ''): Promise<Read> =>
  read(`${world.first.url}/v1/events${path}`, merchantHeader(tenant, ['charges:read', 'wallet:read']));

async function listed(tenant: Tenant, query = ''): Promise<string[]> {
  const { data } = await get(tenant, `?${query}`);
  return page.parse(data).map(({ id }) => id);
}

const happened = (tenant: Tenant, past: Parameters<typeof eventOf>[2] = {}) =>
  eventOf(world.database, tenant, past);

describe('the feed of events', () => {
  test('of a new merchant is one empty page', async () => {
    const { status, data, meta } = await get(newTenant());

    expect([status, data, meta]).toEqual([200, [], { total: 0, page: 1, limit: 20, pages: 0 }]);
  });

  test('shows what happened with the data and the time that webhooks carry, with no webhook configured', async () => {
    const tenant = newTenant();
    const [payment, dispute] = [paid(tenant), disputeOpened(tenant)];

    await world.emitter.announce(payment);
    await world.emitter.announce(dispute);
    const events = await eventually(async () => {
      const { data } = await get(tenant);
      const found = page.parse(data);
      expect(found).toHaveLength(2);
      return found;
    });

    const { txid, amount, netAmount, feeAmount, status, paidAt, externalId } = payment.data;
    const told = events.find(({ event }) => event === 'charge.paid');
    expect(told).toMatchObject({
      resourceId: payment.data.id,
      data: { id: payment.data.id, txid, amount, netAmount, feeAmount, status, paidAt, externalId },
    });
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['charge.paid', 'dispute.opened']));
    expect((await get(tenant, `/${told?.id}`)).data).toEqual(told);
  });

  test('is newest first by when it happened, with the id to settle ties', async () => {
    const tenant = newTenant();
    const [early, late] = [daysAgo(2), daysAgo(1)];
    const ids: string[] = [];
    for (const at of [late, early, late]) ids.push((await happened(tenant, { at })).id);

    const [first, second, third] = ids;
    expect(await listed(tenant)).toEqual([third, first, second]);
  });

  test('is one merchant’s in one environment', async () => {
    const tenant = newTenant();
    const { id } = await happened(tenant);
    const others: Tenant[] = [newTenant(), { ...tenant, environment: 'production' }];

    expect(await listed(tenant)).toEqual([id]);
    for (const other of others) {
      expect(await listed(other)).toEqual([]);
      expect(await get(other, `/${id}`)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    }
  });

  test('goes back 30 days, and knows of no test', async () => {
    const tenant = newTenant();
    const { id } = await happened(tenant, { at: daysAgo(29.9) });
    const old = await happened(tenant, { at: daysAgo(30.1) });
    const tried = await happened(tenant, { type: 'webhook.test' });

    const { data, meta } = await get(tenant);

    expect(page.parse(data).map((event) => event.id)).toEqual([id]);
    expect(meta?.total).toBe(1);
    for (const unseen of [old, tried])
      expect(await get(tenant, `/${unseen.id}`)).toMatchObject({ status: 404 });
  });

  test('shows each once on pages that end at a moment, while new ones arrive', async () => {
    const tenant = newTenant();
    const at = daysAgo(1);
    const ids: string[] = [];
    for (let i = 0; i < 25; i += 1) ids.push((await happened(tenant, { at })).id);

    const seen: string[] = [];
    for (const number of [1, 2, 3, 4]) {
      seen.push(...(await listed(tenant, `endDate=${at}&limit=8&page=${number}`)));
      await happened(tenant);
    }

    expect(seen).toEqual(ids.toReversed());
  });
});

describe('events are narrowed', () => {
  test('by each filter, and by all of them together', async () => {
    const tenant = newTenant();
    const [at, before, after] = [daysAgo(10), daysAgo(11), daysAgo(9)];
    const resourceId = newId();
    const wanted = await happened(tenant, { resourceId, at });
    const others = {
      event: await happened(tenant, { resourceId, at, type: 'charge.refunded' }),
      resourceId: await happened(tenant, { at }),
      startDate: await happened(tenant, { resourceId, at: before }),
      endDate: await happened(tenant, { resourceId, at: after }),
    };
    const filters = { event: 'charge.paid', resourceId, startDate: dayOf(at), endDate: dayOf(at) };
    const every = [wanted, ...Object.values(others)].map(({ id }) => id);

    for (const [name, value] of Object.entries(filters)) {
      const left = await listed(tenant, `${name}=${value}`);
      const gone = Object.entries(others).find(([of]) => of === name)?.[1].id;
      expect([name, every.filter((id) => !left.includes(id))]).toEqual([name, [gone]]);
    }
    expect(await listed(tenant, `${new URLSearchParams(filters)}`)).toEqual([wanted.id]);
  });

  test('to a resource of somebody else’s: there is nothing', async () => {
    const { resourceId } = await happened(newTenant());

    expect(await listed(newTenant(), `resourceId=${resourceId}`)).toEqual([]);
  });
});
