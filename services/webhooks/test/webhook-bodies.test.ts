import { describe, expect, test } from '@jest/globals';
import type { Announcement } from '@plataforma/events';
import type { Tenant } from '@plataforma/kernel';
import { type Delivery, eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import {
  countDeadLetters,
  disputeOpened,
  disputeResolved,
  expired,
  internalEventsOf,
  messageOf,
  paid,
  publish,
  refunded,
} from './support/emitter.ts';
import { isGenuine } from './support/faults.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const shop = beforeFile(() => world.startMerchant());

type BodyEvent = Extract<
  Announcement,
  { type: 'charge.paid' | 'charge.expired' | 'charge.refunded' | 'dispute.opened' | 'dispute.resolved' }
>;

/** The fields that the public API promises for each event. */
const CARD = ['installments', 'cardBrand', 'nsu', 'authorizationCode', 'acquirerId'] as const;
const NAMES = ['externalId', 'endToEndId', ...CARD, 'metadata'];
const OLDER_DISPUTE = [
  ...['id', 'chargeId', 'amount', 'reason', 'description', 'status', 'deadline', 'createdAt'],
  'paymentMethod',
];
const DISPUTE = [...OLDER_DISPUTE, ...NAMES];
const CHARGE = [
  'id',
  'txid',
  'amount',
  'netAmount',
  'feeAmount',
  'status',
  'paidAt',
  'paymentMethod',
  ...NAMES,
];

/** Returns the event of an opened dispute as release 0.6.0 publishes it. */
function olderDispute(tenant: Tenant): BodyEvent {
  const event = disputeOpened(tenant);
  const { externalId: _o, endToEndId: _e, metadata: _m, ...data } = event.data;
  for (const name of CARD) delete data[name];
  return { ...event, data };
}
const bodies: [string, (tenant: Tenant) => BodyEvent, string[]][] = [
  ['charge.paid', paid, CHARGE],
  ['charge.expired', expired, CHARGE],
  ['charge.refunded', refunded, [...CHARGE, 'refundedAmount', 'refundReason']],
  ['dispute.opened', disputeOpened, DISPUTE],
  ['dispute.opened of release 0.6.0', olderDispute, OLDER_DISPUTE],
  ...(['RESOLVED_MERCHANT', 'RESOLVED_CUSTOMER', 'CANCELLED'] as const).map(
    (status): [string, (tenant: Tenant) => BodyEvent, string[]] => [
      `dispute.resolved as ${status}`,
      (tenant) => disputeResolved(tenant, status),
      [...DISPUTE, 'resolvedAt', 'resolution'],
    ],
  ),
];

const concerns = (event: Announcement) => (delivery: Delivery) =>
  'id' in event.data && delivery.body.includes(event.data.id);
const received = (event: Announcement) => shop.deliveries.filter(concerns(event));

/** Publishes one more event and waits for its delivery. All events before it have then been processed. */
async function everythingBefore(tenant: Tenant): Promise<void> {
  const last = paid(tenant);
  await publish(world.brokerUrl, messageOf(last), { key: last.type });
  await shop.waitFor(concerns(last));
  await eventually(async () => {
    const pending = await world.database.query(
      `SELECT id FROM deliveries WHERE merchant_id = $1 AND status = 'PENDING'`,
      [tenant.merchantId],
    );
    expect(pending).toEqual([]);
  });
}

const storedOf = ({ merchantId }: Tenant) =>
  world.database.query(
    'SELECT environment, type, resource_id FROM events WHERE merchant_id = $1 ORDER BY id',
    [merchantId],
  );

describe.each(bodies)('%s', (_name, eventOf, promised) => {
  test('is delivered with exactly the promised fields and a valid signature', async () => {
    const tenant = newTenant();
    const { secret } = await world.configure(tenant, { url: shop.url });
    const event = eventOf(tenant);

    await world.emitter.announce(event);
    const delivery = await shop.waitFor(concerns(event));

    const { body, headers } = delivery;
    const { data, ...envelope } = JSON.parse(body.toString());
    expect(envelope).toEqual({
      event: event.type,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      eventId: headers['x-webhook-event-id'],
      sequence: event.sequence,
    });
    expect(Object.keys(data).toSorted()).toEqual(promised.toSorted());
    expect(event.data).toMatchObject(data);
    expect(isGenuine(delivery, secret)).toBe(true);
  });

  test('is delivered only to webhooks without a filter or with it', async () => {
    const tenant = newTenant();
    const event = eventOf(tenant);
    await world.configure(tenant, { url: `${shop.url}/all` });
    await world.configure(tenant, { url: `${shop.url}/chosen`, events: ['charge.paid', event.type] });
    const others = ['charge.paid', 'charge.refunded', 'charge.expired', 'dispute.opened', 'dispute.resolved'];
    await world.configure(tenant, {
      url: `${shop.url}/other`,
      events: others.filter((name) => name !== event.type),
    });

    await world.emitter.announce(event);
    await shop.waitFor(concerns(event));
    await everythingBefore(tenant);

    expect(
      received(event)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['/all', '/chosen']);
  });

  test('is delivered once when announced twice, even without its inbox row', async () => {
    const tenant = newTenant();
    await world.configure(tenant, { url: shop.url });
    const event = eventOf(tenant);
    const message = messageOf(event);
    const publishMessage = () => publish(world.brokerUrl, message, { key: event.type });

    await Promise.all([publishMessage(), publishMessage()]);
    await shop.waitFor(concerns(event));
    await publishMessage();
    await everythingBefore(tenant);
    await world.database.query('TRUNCATE inbox');
    await publishMessage();
    await everythingBefore(tenant);

    expect(received(event)).toHaveLength(1);
    expect(await countDeadLetters(world.database)).toBe(0);
  });

  test.each(['production', 'sandbox'] as const)('of %s stays in that environment', async (environment) => {
    const tenant = newTenant(environment);
    const elsewhere = environment === 'production' ? 'sandbox' : 'production';
    await world.configure({ ...tenant, environment: elsewhere }, { url: `${shop.url}/elsewhere` });
    await world.configure(newTenant(environment), { url: `${shop.url}/stranger` });
    await world.configure(tenant, { url: `${shop.url}/here` });
    const event = eventOf(tenant);

    await world.emitter.announce(event);
    await shop.waitFor(concerns(event));
    await everythingBefore(tenant);

    expect(received(event).map(({ path }) => path)).toEqual(['/here']);
    expect(await storedOf(tenant)).toContainEqual({
      environment,
      type: event.type,
      resource_id: event.data.id,
    });
  });
});

test('a refund without a reason is delivered with reason null', async () => {
  const tenant = newTenant();
  await world.configure(tenant, { url: shop.url });
  const event = refunded(tenant, null);

  await world.emitter.announce(event);
  const { body } = await shop.waitFor(concerns(event));

  expect(JSON.parse(body.toString()).data).toHaveProperty('refundReason', null);
});

test('a dispute’s events are delivered although its end arrives first', async () => {
  const tenant = newTenant();
  await world.configure(tenant, { url: shop.url });
  const end = disputeResolved(tenant, 'RESOLVED_CUSTOMER');
  const { chargeId, id } = end.data;
  const opened = disputeOpened(tenant);
  const beginning = { ...opened, aggregateId: id, data: { ...opened.data, id, chargeId } };

  for (const event of [end, beginning]) {
    await publish(world.brokerUrl, messageOf(event), { key: event.type });
  }

  await eventually(() => expect(received(end)).toHaveLength(2));
  const eventNames = received(end).map(({ body }) => JSON.parse(body.toString()).event);
  expect(eventNames.toSorted()).toEqual(['dispute.opened', 'dispute.resolved']);
});

test.each([
  ['does not arrive at this service', (type: string) => ({ key: type })],
  ['is sent to no merchant although it arrives by mistake', () => ({ exchange: '', key: 'webhooks.events' })],
])('an internal event of services %s', async (_what, wayOf) => {
  const tenant = newTenant();
  await world.configure(tenant, { url: shop.url });
  const internal = internalEventsOf(tenant);

  for (const event of internal) await publish(world.brokerUrl, messageOf(event), wayOf(event.type));
  await everythingBefore(tenant);

  expect(await storedOf(tenant)).toMatchObject([{ type: 'charge.paid' }]);
  for (const event of internal) expect(received(event)).toEqual([]);
  expect(await countDeadLetters(world.database)).toBe(0);
});

describe('a filter of events', () => {
  test.each([
    'refund.refused',
    'unexpected_payment.received',
    'unexpected_payment.returned',
    'merchant.updated',
    'charge.sold',
    'dispute.*',
    '*',
    'CHARGE.PAID',
    ' charge.paid',
    '',
    'toString',
  ])('with the unknown name %j is refused as a whole', async (name) => {
    const tenant = newTenant();

    const { status, json } = await world.post(tenant, { url: shop.url, events: ['charge.paid', name] });

    expect([status, json.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(json.error?.message).toMatch(/^events\.1: /);
    const rows = await world.database.query('SELECT 1 FROM configurations WHERE merchant_id = $1', [
      tenant.merchantId,
    ]);
    expect(rows).toEqual([]);
  });

  test.each([
    ['a text', 'charge.paid'],
    ['numbers', [1]],
  ])('of %s is refused', async (_what, events) => {
    const { status, json } = await world.post(newTenant(), { url: shop.url, events });

    expect([status, json.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
