import { describe, expect, test } from '@jest/globals';
import { api, webhookEvents } from '@plataforma/contracts';
import { eventually, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { callsTo } from './support/calls.ts';
import { isGenuine } from './support/faults.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ retryDelaysMs: [20, 20] }));
const call = callsTo(world);
const shop = beforeFile(() => world.startMerchant());

const sentTo = (id: string) => shop.deliveries.filter(({ path }) => path === `/${id}`);

describe('a test event', () => {
  test('is sent, signed and unfiltered, to its own webhook only', async () => {
    const tenant = newTenant();
    const events = ['charge.expired'];
    const { id, secret } = await world.configure(tenant, { url: `${shop.url}/tested`, events });
    await world.configure(tenant, { url: `${shop.url}/other` });

    const { status, json } = await call(tenant, `POST /${id}/test`);
    await eventually(() => expect(sentTo('tested')).toHaveLength(1));

    const delivery = api.testWebhook.data.parse(json.data);
    const [sent] = sentTo('tested');
    const body = JSON.parse(String(sent?.body));
    expect(status).toBe(201);
    expect(delivery).toEqual({
      id: sent?.headers['x-webhook-id'],
      webhookId: id,
      event: 'webhook.test',
      resourceId: id,
      status: 'PENDING',
      attempts: 0,
      nextAttemptAt: expect.any(String),
      createdAt: delivery.nextAttemptAt,
    });
    expect(body).toEqual({
      event: 'webhook.test',
      data: { id, message: expect.any(String), isTest: true },
      timestamp: expect.stringMatching(/Z$/),
      eventId: sent?.headers['x-webhook-event-id'],
      sequence: 1,
    });
    expect(webhookEvents['webhook.test'].parse(body.data)).toEqual(body.data);
    expect(sent && isGenuine(sent, secret)).toBe(true);
    expect(sent?.headers['x-webhook-test']).toBe('true');
    expect(sentTo('other')).toHaveLength(0);
  });

  test('is retried like any event', async () => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url: `${shop.url}/failing` });
    shop.answer(({ path }) => ({ status: path === '/failing' ? 500 : 200 }));

    await call(tenant, `POST /${id}/test`);
    await eventually(async () => {
      const rows = await world.database.query(
        'SELECT status, attempts FROM deliveries WHERE merchant_id = $1',
        [tenant.merchantId],
      );
      expect(rows).toEqual([{ status: 'FAILED', attempts: 3 }]);
    });

    expect(new Set(sentTo('failing').map(({ body }) => body.toString())).size).toBe(1);
  });

  test('for an inactive webhook is refused', async () => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url: shop.url });
    await call(tenant, `PATCH /${id}`, { body: { isActive: false } });

    const { status, json } = await call(tenant, `POST /${id}/test`);

    expect([status, json.error?.code]).toEqual([409, 'INVALID_STATE']);
    const rows = await world.database.query('SELECT id FROM events WHERE merchant_id = $1', [
      tenant.merchantId,
    ]);
    expect(rows).toEqual([]);
  });

  test('during a deletion is sent once or fails, and never waits', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const tenant = newTenant();
      const { id } = await world.configure(tenant, { url: `${shop.url}/${round}` });

      const [answer] = await Promise.all([call(tenant, `POST /${id}/test`), call(tenant, `DELETE /${id}`)]);
      await eventually(async () => {
        const waiting = `SELECT id FROM deliveries WHERE merchant_id = $1 AND status = 'PENDING'`;
        expect(await world.database.query(waiting, [tenant.merchantId])).toEqual([]);
      });

      expect([201, 404]).toContain(answer.status);
      expect(sentTo(String(round)).length).toBeLessThanOrEqual(answer.status === 201 ? 1 : 0);
    }
  });
});
