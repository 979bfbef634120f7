import { describe, expect, test } from '@jest/globals';
import { timelinePart } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import type { z } from 'zod';
import { attemptAt, deliveryOf, eventOf, idAt } from './support/history.ts';
import { newTenant, serviceHeader } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const ask = (ids: readonly string[], headers = serviceHeader()) =>
  world.client(`/internal/timeline?ids=${ids.join()}`, { headers });

async function partOf(...ids: string[]): Promise<z.infer<typeof timelinePart>> {
  return timelinePart.parse((await ask(ids)).data);
}

test('the route for the gateway returns nothing for an unknown id', async () => {
  expect(await partOf(newId())).toMatchObject({ subject: null, belongsTo: null, entries: [] });
});

describe('the notifications of a merchant in the timeline', () => {
  test('show each attempt and result without secrets of the URL', async () => {
    const tenant = newTenant();
    const { id: configurationId } = await world.configure(tenant, {
      url: 'http://127.0.0.1:1/hooks?token=segredo',
    });
    const [resourceId, disputeId] = [newId(), newId()];
    const { id: deliveryId, event } = await deliveryOf(world.database, tenant, {
      configurationId,
      resourceId,
      status: 'PENDING',
      at: '2026-11-21T12:00:00.000Z',
    });
    const later = { type: 'dispute.opened', resourceId: disputeId, at: '2026-11-21T13:00:00.000Z' };
    await eventOf(world.database, tenant, later);
    await attemptAt(world.database, { deliveryId, at: '2026-11-21T12:00:01.000Z', failure: 'timeout' });
    const open = await partOf(resourceId);
    await attemptAt(world.database, { deliveryId, at: '2026-11-21T12:00:03.000Z' });

    const { entries } = await partOf(resourceId, disputeId);

    expect(entries.map(({ kind, what }) => [kind, what])).toEqual([
      ['notification', 'charge.paid was received'],
      ['delivery', 'a delivery of charge.paid was queued'],
      ['attempt', 'attempt 1 got no response'],
      ['attempt', 'attempt 2 got the status 200'],
      ['delivery', 'the delivery became SUCCEEDED'],
      ['notification', 'dispute.opened was received'],
    ]);
    expect(open.entries.map(({ kind }) => kind)).toEqual(['notification', 'delivery', 'attempt']);
    expect(open.entries[1]?.detail).toMatchObject({
      status: 'PENDING',
      attempts: 1,
      url: 'http://127.0.0.1:1/hooks',
    });
    expect(entries[2]?.detail).toMatchObject({ deliveryId, failure: 'timeout', durationMs: 20 });
    for (const id of [deliveryId, event.id]) expect((await partOf(id)).belongsTo).toBe(resourceId);
  });

  test('are limited to the newest 500 entries', async () => {
    const tenant = newTenant();
    const { id: configurationId } = await world.configure(tenant, { url: 'http://127.0.0.1:1/hooks' });
    const resourceId = newId();
    await deliveryOf(world.database, tenant, { configurationId, resourceId });
    await world.database.query(
      `INSERT INTO events (id, merchant_id, environment, type, resource_id, body, occurred_at, created_at)
      SELECT ${idAt('at')}, $1, 'sandbox', 'charge.paid', $2, '{}', at, at
      FROM generate_series(1, 600) AS n, LATERAL (SELECT now() - n * interval '1 minute' AS at) AS moment`,
      [tenant.merchantId, resourceId],
    );

    const { entries, isCut } = await partOf(resourceId);

    expect([entries.length, isCut]).toEqual([500, true]);
    expect(entries.at(-1)?.what).toBe('a delivery of charge.paid was queued');
  });
});
