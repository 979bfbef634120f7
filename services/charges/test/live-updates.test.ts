import { beforeAll, expect, test } from '@jest/globals';
import type { DomainEvent } from '@plataforma/events';
import { eventually } from '@plataforma/testing';
import { beforeFile, listenAs, worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const webhooks = beforeFile(() => listenAs('webhooks', world.brokerUrl));
beforeAll(() => world.stopFirst(webhooks));

const liveUpdatesOf = (id: string): DomainEvent[] =>
  webhooks.received.filter(({ aggregateId }) => aggregateId === id);

/** Makes a charge and waits for its event, which shows that the service is connected to the broker. */
async function announcedCharge() {
  const tenant = newTenant();
  return eventually(async () => {
    const charge = await world.client.newCharge(tenant);
    await eventually(() => expect(liveUpdatesOf(charge.id)).toHaveLength(1), { timeoutMs: 1_000 });
    return { tenant, charge };
  });
}

test('live lists get a charge’s creation, then its cancellation', async () => {
  const { tenant, charge } = await announcedCharge();

  await world.client.cancel(tenant, charge.id);
  await eventually(() => expect(liveUpdatesOf(charge.id)).toHaveLength(2));

  const { id, txid, externalId, amount, feeAmount, netAmount, expiresAt, createdAt } = charge;
  const fields = { id, txid, externalId, paymentMethod: 'PIX', amount, feeAmount, netAmount, metadata: {} };
  expect(liveUpdatesOf(id)).toMatchObject([
    {
      ...{ type: 'charge.created', ...tenant, sequence: 0 },
      data: { ...fields, status: 'PENDING', paidAt: null, expiresAt, createdAt },
    },
    {
      ...{ type: 'charge.cancelled', ...tenant, sequence: 1 },
      data: { ...fields, status: 'CANCELLED', paidAt: null },
    },
  ]);
  expect(await world.eventsOf(id)).toEqual([]);
});

test('a repeated order is announced once', async () => {
  const { tenant, charge } = await announcedCharge();
  const { externalId } = charge;

  const again = await world.client.create(tenant, newOrder({ externalId }));
  const { charge: later } = await announcedCharge();

  expect([again.status, again.data]).toMatchObject([200, { id: charge.id }]);
  expect([liveUpdatesOf(charge.id).length, liveUpdatesOf(later.id).length]).toEqual([1, 1]);
});
