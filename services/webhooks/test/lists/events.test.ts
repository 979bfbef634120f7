import { describe, expect, test } from '@jest/globals';
import { api, type Scope, webhookEventTypes } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { disputeOpened, paid } from '../support/emitter.ts';
import { eventOf } from '../support/history.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { expectNarrowed, readerOf, testMerchantList } from '../support/merchant-lists.ts';
import { read } from '../support/reader.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

const page = z.array(api.listEvents.data);
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const dayOf = (instant: string) => instant.slice(0, 10);

const list = {
  world,
  path: '/v1/events',
  scopes: ['charges:read' as const, 'wallet:read' as const],
};
const { get, listed } = readerOf(list);
const happened = (tenant: Tenant, past: Parameters<typeof eventOf>[2] = {}) =>
  eventOf(world.database, tenant, past);

describe('the feed of events', () => {
  testMerchantList({ ...list, make: happened });

  test('shows the data and time of webhooks, without any webhook', async () => {
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
    const paidEvent = events.find(({ event }) => event === 'charge.paid');
    expect(paidEvent).toMatchObject({
      resourceId: payment.data.id,
      data: { id: payment.data.id, txid, amount, netAmount, feeAmount, status, paidAt, externalId },
    });
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['charge.paid', 'dispute.opened']));
    expect((await get(tenant, `/${paidEvent?.id}`)).data).toEqual(paidEvent);
  });

  test('covers 30 days and omits test events', async () => {
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
});

describe('the filters of events', () => {
  test('work alone and all together', async () => {
    const tenant = newTenant();
    const [at, before, after] = [daysAgo(10), daysAgo(11), daysAgo(9)];
    const resourceId = newId();
    const matching = await happened(tenant, { resourceId, at });
    const others = {
      event: await happened(tenant, { resourceId, at, type: 'charge.refunded' }),
      resourceId: await happened(tenant, { at }),
      startDate: await happened(tenant, { resourceId, at: before }),
      endDate: await happened(tenant, { resourceId, at: after }),
    };
    const filters = { event: 'charge.paid', resourceId, startDate: dayOf(at), endDate: dayOf(at) };

    await expectNarrowed((query) => listed(tenant, query), filters, { matching: matching, others });
  });

  test('find nothing for a resource of another merchant', async () => {
    const { resourceId } = await happened(newTenant());

    expect(await listed(newTenant(), `resourceId=${resourceId}`)).toEqual([]);
  });
});

const not = (nouns: RegExp) => webhookEventTypes.filter((type) => !nouns.test(type));
const charges = not(/^(withdrawal|receivable|webhook|api_key)\./);
const ofWallet = webhookEventTypes.filter((type) => /^(withdrawal|receivable)\./.test(type));
const withdrawals = webhookEventTypes.filter((type) => type.startsWith('withdrawal.'));

const reads: [scopes: Scope[], types: string[]][] = [
  [['charges:read'], [...charges, 'webhook.failing']],
  [['charges:write'], [...charges, 'webhook.failing']],
  [['wallet:read'], [...ofWallet, 'webhook.failing']],
  [['withdrawals:write'], [...withdrawals, 'webhook.failing']],
  [
    ['charges:read', 'withdrawals:write'],
    [...charges, ...withdrawals, 'webhook.failing'],
  ],
  [['charges:read', 'wallet:read'], not(/^api_key\./)],
  [['disputes:write'], charges.filter((type) => type.startsWith('dispute.'))],
  [
    ['refunds:write', 'webhooks:write'],
    ['refund.created', 'webhook.failing'],
  ],
  [['events:read'], [...webhookEventTypes]],
  [[], []],
];

async function eventsOf(tenant: Tenant): Promise<{ id: string; type: string }[]> {
  const events: { id: string; type: string }[] = [];
  for (const type of webhookEventTypes) events.push(await eventOf(world.database, tenant, { type }));
  return events;
}

test.each(reads)('a key with %j reads only %j, in lists and by id', async (scopes, types) => {
  const tenant = newTenant();
  const events = await eventsOf(tenant);
  const get = (path: string) => read(`${world.first.url}/v1/events${path}`, merchantHeader(tenant, scopes));
  const typesIn = (data: unknown) =>
    api.listEvents.data
      .array()
      .parse(data)
      .map(({ event }) => event);

  for (const order of ['asc', 'desc'])
    await eventually(async () => {
      const { data, meta } = await get(`?order=${order}&limit=100`);
      expect([typesIn(data).toSorted(), meta?.total]).toEqual([types.toSorted(), types.length]);
    });
  for (const { id, type } of events) {
    const { status } = await get(`/${id}`);
    expect([type, status]).toEqual([type, types.includes(type) ? 200 : 404]);
  }
});

test('a key may continue after an event that it cannot read', async () => {
  const tenant = newTenant();
  const { id } = await eventOf(world.database, tenant, { type: 'withdrawal.failed' });
  const { id: next } = await eventOf(world.database, tenant, { type: 'charge.paid', resourceId: newId() });
  const headers = merchantHeader(tenant, ['charges:read']);
  const get = (query: string) => read(`${world.first.url}/v1/events?${query}`, headers);

  const named = await get('event=withdrawal.failed');

  expect([named.status, named.data]).toEqual([200, []]);
  await eventually(async () =>
    expect((await get(`order=asc&after=${id}`)).data).toMatchObject([{ id: next }]),
  );
});
