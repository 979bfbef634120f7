import { expect, test } from '@jest/globals';
import { api, type Scope, webhookEventTypes } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { eventOf } from '../support/history.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { read } from '../support/reader.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

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
