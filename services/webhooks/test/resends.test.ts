import { describe, expect, test } from '@jest/globals';
import { api, type Scope, type WebhookDeliveryStoryView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually, type FakeMerchant } from '@plataforma/testing';
import { openAt, worldOfFile } from '@plataforma/testing/world';
import { callsTo } from './support/calls.ts';
import { paid } from './support/emitter.ts';
import { deliveryOf, idAt } from './support/history.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const HOUR_MS = 3_600_000;
/** A delivery of the short schedule has one attempt. The extended schedule adds an attempt an hour later. */
const world = worldOfFile(() => startWorld({ retryDelaysMs: [], laterDelaysMs: [HOUR_MS] }));
const call = callsTo(world);

interface Delivered {
  id: string;
  configurationId: string;
  tenant: Tenant;
  shop: FakeMerchant;
}

/** Returns a delivery after its first attempt, to which the merchant's server responded with `status`. */
async function delivered(status: number, retrySchedule = 'short', tenant = newTenant()): Promise<Delivered> {
  const shop = await world.startMerchant();
  shop.answer(() => ({ status }));
  const { id: configurationId } = await world.configure(tenant, { url: shop.url, retrySchedule });
  await world.emitter.announce(paid(tenant));
  const id = await eventually(() => {
    expect(shop.deliveries).toHaveLength(1);
    return String(shop.deliveries[0]?.headers['x-webhook-id']);
  });
  const first = { id, configurationId, tenant, shop };
  await eventually(async () => expect((await read(first)).attempts).toHaveLength(1));
  return first;
}

async function read({ id, tenant }: Pick<Delivered, 'id' | 'tenant'>): Promise<WebhookDeliveryStoryView> {
  const headers = merchantHeader(tenant);
  return api.getWebhookDelivery.data.parse(
    (await world.client(`/v1/webhook-deliveries/${id}`, { method: 'GET', headers })).data,
  );
}

const resend = (
  { id, tenant }: Pick<Delivered, 'id' | 'tenant'>,
  { idempotencyKey = newId(), scopes }: { idempotencyKey?: string; scopes?: Scope[] } = {},
) =>
  world.client(`/v1/webhook-deliveries/${id}/resend`, {
    method: 'POST',
    headers: { ...merchantHeader(tenant, scopes), 'idempotency-key': idempotencyKey },
  });

const resendSince = (tenant: Tenant, configurationId: string, since: Date) =>
  call(tenant, `POST /${configurationId}/resend`, { body: { since: since.toISOString() } });

/** Sets a received delivery to its state between a manual request for an attempt and the sender's claim. */
const planManual = (id: string) =>
  world.database.query(
    `UPDATE deliveries SET status = 'PENDING', due_at = now() + interval '1 hour',
       resent_from = 'SUCCEEDED', manual_attempt = 2 WHERE id = $1`,
    [id],
  );

describe('a delivery that is sent again', () => {
  test('has the same id and bytes, and a manual attempt', async () => {
    const delivery = await delivered(500);
    const { shop } = delivery;
    expect(await read(delivery)).toMatchObject({ status: 'FAILED', attempts: [{ isManual: false }] });
    shop.answer(() => ({ status: 200 }));

    const { status, data } = await resend(delivery);

    expect([status, api.resendWebhookDelivery.data.parse(data)]).toMatchObject([
      200,
      { id: delivery.id, status: 'PENDING', attempts: 1 },
    ]);
    await eventually(async () =>
      expect(await read(delivery)).toMatchObject({
        status: 'SUCCEEDED',
        attempts: [
          { statusCode: 500, isManual: false },
          { statusCode: 200, isManual: true },
        ],
      }),
    );
    const [first, second, ...others] = shop.deliveries;
    expect(others).toEqual([]);
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    for (const header of ['x-webhook-id', 'x-webhook-event-id', 'x-webhook-sequence', 'x-webhook-signature'])
      expect(second?.headers[header]).toBe(first?.headers[header]);
  });

  test.each([
    ['FAILED', 500, 'short'],
    ['SUCCEEDED', 200, 'short'],
    ['SUCCEEDED', 200, 'extended'],
  ])('keeps the status %s after one failed attempt (%i, %s)', async (status, firstStatus, schedule) => {
    const delivery = await delivered(firstStatus, schedule);
    delivery.shop.answer(() => ({ status: 503 }));

    expect(await resend(delivery)).toMatchObject({ status: 200 });

    await eventually(async () => expect((await read(delivery)).attempts).toHaveLength(2));
    expect(await read(delivery)).toMatchObject({ status, nextAttemptAt: null });
  });

  test('continues with its schedule if it was waiting', async () => {
    const delivery = await delivered(500, 'extended');
    await world.database.query('UPDATE deliveries SET attempts = 0 WHERE id = $1', [delivery.id]);
    await world.database.query('DELETE FROM delivery_attempts WHERE delivery_id = $1', [delivery.id]);

    expect(await resend(delivery)).toMatchObject({ status: 200 });

    await eventually(async () =>
      expect(await read(delivery)).toMatchObject({ status: 'PENDING', attempts: [{ isManual: true }] }),
    );
    expect(Date.parse(String((await read(delivery)).nextAttemptAt))).toBeGreaterThan(
      Date.now() + HOUR_MS / 2,
    );
  });

  test('that was received stays SUCCEEDED after two requests and one failed attempt', async () => {
    const delivery = await delivered(200);
    delivery.shop.answer(() => ({ status: 500 }));
    await planManual(delivery.id);

    expect(await resend(delivery)).toMatchObject({ status: 200 });

    await eventually(async () =>
      expect(await read(delivery)).toMatchObject({ status: 'SUCCEEDED', attempts: [{}, { isManual: true }] }),
    );
  });

  test('that was received stays SUCCEEDED if its webhook is paused before the attempt', async () => {
    const { id, tenant, configurationId } = await delivered(200);
    await planManual(id);

    await call(tenant, `PATCH /${configurationId}`, { body: { isActive: false } });

    await eventually(async () => expect(await read({ id, tenant })).toMatchObject({ status: 'SUCCEEDED' }));
  });

  test('is sent once for one key, also by simultaneous requests', async () => {
    const delivery = await delivered(500);
    const idempotencyKey = newId();

    const answers = await Promise.all([1, 2, 3].map(() => resend(delivery, { idempotencyKey })));
    await resend(delivery, { idempotencyKey });

    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    await eventually(async () =>
      expect(await read(delivery)).toMatchObject({ status: 'FAILED', attempts: [{}, {}] }),
    );
    expect(delivery.shop.deliveries).toHaveLength(2);
  });

  test('is refused while an attempt is running', async () => {
    const delivery = await delivered(500);
    const blocked = Promise.withResolvers<{ status: number }>();
    delivery.shop.answer(() => blocked.promise);
    await resend(delivery);
    await eventually(() => expect(delivery.shop.deliveries).toHaveLength(2));

    const { status, error } = await resend(delivery);
    blocked.resolve({ status: 200 });

    expect([status, error]).toMatchObject([409, { code: 'INVALID_STATE' }]);
    await eventually(async () => expect(await read(delivery)).toMatchObject({ status: 'SUCCEEDED' }));
    expect(delivery.shop.deliveries).toHaveLength(2);
  });

  test.each(['paused', 'deleted'])('is refused for a %s webhook', async (state) => {
    const delivery = await delivered(500);
    const { tenant, configurationId } = delivery;
    if (state === 'deleted') await call(tenant, `DELETE /${configurationId}`);
    else await call(tenant, `PATCH /${configurationId}`, { body: { isActive: false } });

    expect(await resend(delivery)).toMatchObject({ status: 409, error: { code: 'INVALID_STATE' } });
    expect(await read(delivery)).toMatchObject({ status: 'FAILED' });
  });

  test('is refused after 50 attempts, and without a valid seal', async () => {
    const [old, forged] = [await delivered(500), await delivered(500)];
    await world.database.query('UPDATE deliveries SET attempts = 50 WHERE id = $1', [old.id]);
    const insider = openAt(world.env.DATABASE_URL ?? '');
    await insider.query('UPDATE deliveries SET seal = NULL WHERE id = $1', [forged.id]);
    await insider.close();

    for (const delivery of [old, forged])
      expect(await resend(delivery)).toMatchObject({ status: 409, error: { code: 'INVALID_STATE' } });
  });

  test('is only sent for its merchant, environment and a key that may write', async () => {
    const delivery = await delivered(500);
    const { tenant } = delivery;
    const others = [newTenant(), { ...tenant, environment: 'production' as const }];

    for (const other of others)
      expect(await resend({ ...delivery, tenant: other })).toMatchObject({ status: 404 });
    expect(await resend(delivery, { scopes: ['charges:read'] })).toMatchObject({ status: 403 });
    expect(delivery.shop.deliveries).toHaveLength(1);
  });
});

describe('the failed deliveries of a webhook', () => {
  test('are sent again from a time on, oldest first', async () => {
    const tenant = newTenant();
    const { configurationId, shop } = await delivered(500, 'short', tenant);
    const day = (before: number) => new Date(Date.now() - before * 24 * HOUR_MS).toISOString();
    const make = (at: string, status: 'FAILED' | 'SUCCEEDED' = 'FAILED') =>
      deliveryOf(world.database, tenant, { configurationId, status, at });
    const [older, newer] = [await make(day(3)), await make(day(1))];
    await make(day(1), 'SUCCEEDED');
    const other = await delivered(500, 'short', tenant);
    shop.answer(() => ({ status: 200 }));

    const { status, json } = await resendSince(tenant, configurationId, new Date(day(2)));

    expect([status, json.data]).toEqual([200, { resent: 3, nextSince: null }]);
    await eventually(async () =>
      expect(await read({ id: newer.id, tenant })).toMatchObject({ status: 'SUCCEEDED' }),
    );
    expect(await read({ id: older.id, tenant })).toMatchObject({ status: 'FAILED', attempts: [] });
    await eventually(() => expect(shop.deliveries).toHaveLength(5));
    expect(other.shop.deliveries).toHaveLength(1);
  });

  test('are sent in several requests of at most 1,000', async () => {
    const { tenant, configurationId, shop, id } = await delivered(500);
    await world.database.query(COPIES, [id]);
    shop.answer(() => ({ status: 200 }));
    const begin = new Date(Date.now() - 24 * HOUR_MS);

    const first = api.resendFailedDeliveries.data.parse(
      (await resendSince(tenant, configurationId, begin)).json.data,
    );
    const second = await resendSince(tenant, configurationId, new Date(String(first.nextSince)));

    expect(first).toEqual({ resent: 1_000, nextSince: expect.any(String) });
    expect(second.json.data).toEqual({ resent: 1, nextSince: null });
    await eventually(() =>
      expect(new Set(shop.deliveries.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1_001),
    );
  });
});

const COPIES = `
  WITH copied AS (
    INSERT INTO events (id, merchant_id, environment, type, resource_id, body, occurred_at, created_at)
    SELECT ${idAt('e.occurred_at')}, e.merchant_id, e.environment, e.type, e.resource_id, e.body,
      e.occurred_at, e.created_at
    FROM deliveries d JOIN events e ON e.id = d.event_id, generate_series(1, 1000)
    WHERE d.id = $1 RETURNING *)
  INSERT INTO deliveries
    (id, merchant_id, environment, event_id, event_type, configuration_id, status, created_at, due_at)
  SELECT ${idAt('copied.occurred_at')}, copied.merchant_id, copied.environment, copied.id, copied.type,
    d.configuration_id, 'FAILED', d.created_at - interval '1 hour' + random() * interval '1 minute', NULL
  FROM copied, deliveries d WHERE d.id = $1`;
