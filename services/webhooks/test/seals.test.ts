import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually, type FakeMerchant } from '@plataforma/testing';
import { flipColumns, openAt, worldOfFile } from '@plataforma/testing/world';
import { callsTo } from './support/calls.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { readerOf } from './support/merchant-lists.ts';
import { startWorld } from './support/world.ts';

const HOUR_MS = 3_600_000;
const world = worldOfFile(() =>
  startWorld({ pollMs: 5, attemptTimeoutMs: 60_000, leaseMs: 120_000, retryDelaysMs: [HOUR_MS, HOUR_MS] }),
);
const call = callsTo(world);
/** A connection with the service's own role, like that of an intruder with the service's stolen login. */
let insider: Database;

interface Waiting {
  id: string;
  eventId: string;
  configurationId: string;
  tenant: Tenant;
  shop: FakeMerchant;
}

const FIND = `
  SELECT id, event_id AS "eventId", configuration_id AS "configurationId", attempts FROM deliveries
  WHERE merchant_id = $1`;

/** Returns a delivery to a new merchant, which waits for its second attempt. */
async function waiting(): Promise<Waiting> {
  const [tenant, shop] = [newTenant('production'), await world.startMerchant()];
  shop.answer(() => ({ status: 500 }));
  await world.configure(tenant, { url: shop.url, signatureVersion: 'standard' });
  await world.emitter.announce(paid(tenant));
  return eventually(async () => {
    const [row] = await insider.query<Waiting & { attempts: number }>(FIND, [tenant.merchantId]);
    if (!row) throw new Error('no delivery is stored');
    expect(row.attempts).toBe(1);
    return { ...row, tenant, shop };
  });
}

const FREE = `
  UPDATE deliveries SET due_at = now(), lease_token = NULL, leased_until = NULL
  WHERE id = ANY ($1) AND status = 'PENDING'`;

const PARK = `UPDATE deliveries SET due_at = now() + interval '1 hour' WHERE id = $1 AND status = 'PENDING'`;

/**
 * Makes a delivery and a control delivery due, and waits until the sender has sent the control delivery. Does
 * so twice. The delivery is not due afterwards.
 */
async function letSenderTry(id: string): Promise<void> {
  const control = await waiting();
  for (const attempts of [2, 3]) {
    await insider.query(FREE, [[id, control.id]]);
    await eventually(async () => expect(await progress(control.id)).toMatchObject([{ attempts }]));
  }
  await insider.query(PARK, [id]);
}

beforeAll(() => {
  insider = openAt(world.env.DATABASE_URL ?? '');
});
afterAll(() => insider?.close());

/** Columns that decide when something is sent or shown, and not what is sent to whom. */
const UNSEALED = {
  configurations: ['tests', 'is_faulted', 'created_at', 'deleted_at'],
  events: ['created_at', 'xid'],
  deliveries: ['status', 'attempts', 'due_at', 'lease_token', 'leased_until', 'created_at'],
  old_secrets: ['configuration_id'],
};

const values = {
  ARRAY: [`'{charge.paid}'`, `'{}'`],
  signature_version: ["'v1'", "'standard'"],
  retry_schedule: ["'short'", "'extended'"],
};

const progress = (id: string) => insider.query('SELECT status, attempts FROM deliveries WHERE id = $1', [id]);

describe('a delivery that waits is not sent', () => {
  test.each(['configurations', 'events', 'deliveries'] as const)(
    'after a change of its row in %s, and is sent after the restoration',
    async (table) => {
      const { id, eventId, configurationId, shop } = await waiting();
      const other = await waiting();
      const row = { configurations: configurationId, events: eventId, deliveries: id }[table];
      const without = ['id', 'seal', ...UNSEALED[table]];
      const ids = { event_id: [`'${other.eventId}'`], configuration_id: [`'${other.configurationId}'`] };
      let tried = 0;

      for await (const flip of flipColumns(insider, table, {
        ...{ id: row, without, values: { ...values, ...ids } },
      })) {
        await letSenderTry(id);
        expect([flip, await progress(id)]).toEqual([flip, [{ status: 'PENDING', attempts: 1 }]]);
        tried += 1;
      }

      expect(tried).toBe({ configurations: 10, events: 8, deliveries: 5 }[table]);
      shop.answer(() => ({ status: 200 }));
      await insider.query(FREE, [[id]]);
      await eventually(async () =>
        expect(await progress(id)).toEqual([{ status: 'SUCCEEDED', attempts: 2 }]),
      );
      expect([shop.deliveries.length, other.shop.deliveries.length]).toEqual([2, 1]);
    },
  );

  test.each(['configurations', 'events', 'deliveries'] as const)(
    'without a seal of its row in %s',
    async (table) => {
      const { id, eventId, configurationId, shop } = await waiting();
      const row = { configurations: configurationId, events: eventId, deliveries: id }[table];
      await insider.queryUnprepared(`UPDATE ${table} SET seal = NULL WHERE id = $1`, [row]);

      await letSenderTry(id);

      expect(await progress(id)).toEqual([{ status: 'PENDING', attempts: 1 }]);
      expect(shop.deliveries).toHaveLength(1);
    },
  );
});

const COPY_EVENT = `
  INSERT INTO events SELECT (jsonb_populate_record(e, $2::jsonb)).* FROM events e WHERE id = $1`;
const COPY_DELIVERY = `
  INSERT INTO deliveries SELECT (jsonb_populate_record(d, $2::jsonb)).* FROM deliveries d WHERE id = $1`;
const CHANGE_DELIVERY = `
  UPDATE deliveries d SET merchant_id = new.merchant_id, configuration_id = new.configuration_id
  FROM jsonb_populate_record(NULL::deliveries, $2::jsonb) AS new WHERE d.id = $1`;

describe('an intruder with the database role', () => {
  test.each([
    ['without seals', { seal: null }],
    ['with the seals of another', {}],
  ])('sends no payment that never happened: an event and a delivery %s', async (_, seal) => {
    const { id, eventId, shop } = await waiting();
    const [forged, forgedEvent] = [newId(), newId()];
    const body = JSON.stringify({ event: 'charge.paid', data: { id: newId(), amount: 999_900 } });
    await insider.query(COPY_EVENT, [eventId, JSON.stringify({ id: forgedEvent, body, ...seal })]);
    const delivery = { id: forged, event_id: forgedEvent, attempts: 0, ...seal };
    await insider.query(COPY_DELIVERY, [id, JSON.stringify(delivery)]);

    await letSenderTry(forged);

    expect(await progress(forged)).toEqual([{ status: 'PENDING', attempts: 0 }]);
    expect(shop.deliveries).toHaveLength(1);
  });

  test.each([
    ['by a new delivery', COPY_DELIVERY, { id: newId() }],
    ['by moving the delivery', CHANGE_DELIVERY, {}],
  ])('gets no event of another merchant at an endpoint of their own, %s', async (_, statement, changes) => {
    const [victim, thief] = [await waiting(), await waiting()];
    const owner = { merchant_id: thief.tenant.merchantId, configuration_id: thief.configurationId };
    await insider.query(statement, [victim.id, JSON.stringify({ ...owner, ...changes })]);
    const { id } = { ...victim, ...changes };

    await letSenderTry(id);

    expect(await progress(id)).toEqual([{ status: 'PENDING', attempts: 1 }]);
    expect(thief.shop.deliveries).toHaveLength(1);
  });

  test('gets no event of another merchant by a delivery that names it', async () => {
    const [victim, thief] = [await waiting(), await waiting()];
    await insider.query('UPDATE deliveries SET event_id = $2 WHERE id = $1', [thief.id, victim.eventId]);

    await letSenderTry(thief.id);

    expect(await progress(thief.id)).toEqual([{ status: 'PENDING', attempts: 1 }]);
    expect(thief.shop.deliveries).toHaveLength(1);
  });

  test('gets no later event at a changed endpoint, which its merchant cannot change but delete', async () => {
    const { tenant, shop, configurationId } = await waiting();
    const without = ['id', 'seal', 'merchant_id', 'environment', ...UNSEALED.configurations];
    for await (const flip of flipColumns(insider, 'configurations', {
      id: configurationId,
      without,
      values,
    })) {
      const event = paid(tenant);
      await world.emitter.announce(event);
      await eventually(async () => expect(await eventsAbout(event.data.id)).toHaveLength(1));
      expect([flip, await deliveriesAbout(event.data.id)]).toEqual([flip, []]);
      const answers = [
        await call(tenant, `PATCH /${configurationId}`, { body: { isActive: true } }),
        await call(tenant, `POST /${configurationId}/rotate-secret`, { body: {} }),
        await call(tenant, `POST /${configurationId}/test`, { body: {} }),
      ];
      expect([flip, ...answers.map(({ status }) => status)]).toEqual([flip, 409, 409, 409]);
    }
    expect(shop.deliveries).toHaveLength(1);

    await insider.query('UPDATE configurations SET url = $2 WHERE id = $1', [
      configurationId,
      'http://x.example',
    ]);
    expect(await call(tenant, `DELETE /${configurationId}`)).toMatchObject({ status: 200 });
  });

  test('starts no endpoint that its merchant has stopped', async () => {
    const { tenant, shop, configurationId } = await waiting();
    await call(tenant, `PATCH /${configurationId}`, { body: { isActive: false } });
    await insider.query('UPDATE configurations SET is_active = true WHERE id = $1', [configurationId]);
    const event = paid(tenant);

    await world.emitter.announce(event);
    await eventually(async () => expect(await eventsAbout(event.data.id)).toHaveLength(1));

    expect(await deliveriesAbout(event.data.id)).toEqual([]);
    expect(shop.deliveries).toHaveLength(1);
  });
});

const eventsAbout = (resourceId: string) =>
  insider.query<{ id: string }>('SELECT id FROM events WHERE resource_id = $1', [resourceId]);
const deliveriesAbout = (resourceId: string) =>
  insider.query('SELECT d.id FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.resource_id = $1', [
    resourceId,
  ]);

test('an old secret whose row was changed in the database does not sign', async () => {
  const { tenant, shop, configurationId } = await waiting();
  shop.answer(() => ({ status: 200 }));
  await call(tenant, `POST /${configurationId}/rotate-secret`, { body: { gracePeriodSeconds: 86_400 } });
  async function signatures(): Promise<number> {
    const event = paid(tenant);
    await world.emitter.announce(event);
    const { headers } = await shop.waitFor(({ body }) => body.includes(event.data.id));
    return String(headers['webhook-signature']).split(' ').length;
  }
  expect(await signatures()).toBe(2);

  const without = ['seal', ...UNSEALED.old_secrets];
  const row = { id: configurationId, key: 'configuration_id', without };
  for await (const flip of flipColumns(insider, 'old_secrets', row))
    expect([flip, await signatures()]).toEqual([flip, 1]);

  expect(await signatures()).toBe(2);
  await insider.query('UPDATE old_secrets SET seal = NULL WHERE configuration_id = $1', [configurationId]);
  expect(await signatures()).toBe(1);
});

const feed = readerOf({ world, path: '/v1/events', scopes: ['charges:read', 'wallet:read'] });
const FORGE_EVENT = `
  INSERT INTO events SELECT (jsonb_populate_record(e, jsonb_build_object('id', $2::text,
    'resource_id', $3::text, 'body', replace(body, resource_id::text, $3::text)))).*
  FROM events e WHERE id = $1`;

test('an event that did not happen is in no list and in no test', async () => {
  const { eventId, tenant, configurationId, shop } = await waiting();
  const [forged, charge] = [newId(), newId()];
  await insider.query(FORGE_EVENT, [eventId, forged, charge]);

  // The list may also have an event about the shop's endpoint, which does not answer. In ascending order an
  // event is listed once no older transaction is open.
  for (const query of ['', 'order=asc'])
    await eventually(async () => {
      const listed = await feed.listed(tenant, query);
      expect([query, listed.includes(eventId), listed.includes(forged)]).toEqual([query, true, false]);
    });
  expect(await feed.get(tenant, `/${forged}`)).toMatchObject({ status: 404 });
  expect(
    await call(tenant, `POST /${configurationId}/test`, { body: { event: 'charge.paid' } }),
  ).toMatchObject({
    status: 201,
  });
  expect(shop.deliveries.filter(({ body }) => JSON.stringify(body).includes(charge))).toEqual([]);
});
