import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { type Delivery, eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { countDeadLetters, paid, publish as publishTo } from './support/emitter.ts';
import { isGenuine } from './support/faults.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

// Long timeouts, because on a busy machine some deliveries would time out and be repeated.
const world = worldOfFile(() => startWorld({ attemptTimeoutMs: 60_000, leaseMs: 120_000 }));
const shop = beforeFile(() => world.startMerchant());

const concerns = (chargeId: string) => (delivery: Delivery) => delivery.body.includes(chargeId);
const received = (chargeId: string) => shop.deliveries.filter(concerns(chargeId));

/** Waits until `eventCount` events are stored and no delivery is pending. */
async function allDelivered(eventCount: number, merchantId: string): Promise<void> {
  await eventually(async () => {
    const stored = await world.database.query('SELECT id FROM events WHERE merchant_id = $1', [merchantId]);
    const waiting = await world.database.query(
      `SELECT id FROM deliveries WHERE merchant_id = $1 AND status = 'PENDING'`,
      [merchantId],
    );
    expect([stored.length, waiting.length]).toEqual([eventCount, 0]);
  });
}

describe('a paid charge', () => {
  test('is sent with its body, headers and a signature of the bytes', async () => {
    const tenant = newTenant();
    const { secret } = await world.configure(tenant, { url: `${shop.url}/hook?shop=7` });
    const event = paid(tenant);
    event.data.externalId = 'pedido "1" ção €';

    await world.emitter.announce(event);
    const delivery = await shop.waitFor(concerns(event.data.id));

    const { settlesAt: _settlesAt, ...data } = event.data;
    expect(JSON.parse(delivery.body.toString())).toEqual({
      event: 'charge.paid',
      data,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      eventId: delivery.headers['x-webhook-event-id'],
      sequence: 1,
    });
    expect(delivery.path).toBe('/hook?shop=7');
    expect(delivery.headers).toEqual({
      host: new URL(shop.url).host,
      connection: 'keep-alive',
      'content-length': String(delivery.body.length),
      'content-type': 'application/json',
      'user-agent': 'Plataforma-Webhook/1.0',
      'x-webhook-event-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-webhook-sequence': '1',
      'x-webhook-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      'x-webhook-signature': expect.any(String),
    });
    expect(isGenuine(delivery, secret)).toBe(true);
  });

  test('is sent to every subscribed webhook with separate ids and secrets', async () => {
    const tenant = newTenant();
    const all = await world.configure(tenant, { url: shop.url });
    const own = await world.configure(tenant, {
      url: shop.url,
      secret: 'the secret of my own',
      events: ['charge.paid'],
    });
    await world.configure(tenant, { url: shop.url, events: ['charge.expired', 'dispute.opened'] });
    const event = paid(tenant);

    await world.emitter.announce(event);
    await eventually(() => expect(received(event.data.id)).toHaveLength(2));
    await allDelivered(1, tenant.merchantId);

    const deliveries = received(event.data.id);
    const signers = deliveries.map((delivery) =>
      [all, own].findIndex(({ secret }) => isGenuine(delivery, secret)),
    );
    expect(signers.toSorted()).toEqual([0, 1]);
    expect(new Set(deliveries.map(({ headers }) => headers['x-webhook-id'])).size).toBe(2);
  });

  test('is stored without a subscriber', async () => {
    const tenant = newTenant();
    const event = paid(tenant);

    await world.emitter.announce(event);
    await allDelivered(1, tenant.merchantId);

    const [row] = await world.database.query('SELECT * FROM events WHERE merchant_id = $1', [
      tenant.merchantId,
    ]);
    expect(row).toMatchObject({ environment: 'sandbox', type: 'charge.paid', resource_id: event.data.id });
  });
});

describe('a message of the broker', () => {
  const publish = (body: string) => publishTo(world.brokerUrl, body, { key: 'charge.paid' });

  test('that is malformed becomes a dead letter, and later ones pass', async () => {
    const tenant = newTenant();
    await world.configure(tenant, { url: shop.url });
    const event = paid(tenant);

    await publish('no event at all');
    await publish(JSON.stringify({ ...event, id: newId(), data: { id: 'broken' } }));
    await world.emitter.announce(event);
    await shop.waitFor(concerns(event.data.id));

    await eventually(async () => expect(await countDeadLetters(world.database)).toBe(2));
  });

  test('among hundreds is delivered once', async () => {
    const tenants = Array.from({ length: 10 }, () => newTenant());
    for (const tenant of tenants) await world.configure(tenant, { url: shop.url });
    const events = Array.from({ length: 500 }, (_, i) => paid(tenants[i % 10] ?? newTenant()));

    await world.emitter.announce(...events);
    await Promise.all(tenants.map(({ merchantId }) => allDelivered(50, merchantId)));

    expect(events.map(({ data }) => received(data.id).length)).toEqual(events.map(() => 1));
  });
});
