import { describe, expect, test } from '@jest/globals';
import { api, webhookEventTypes } from '@plataforma/contracts';
import { worldOfFile } from '@plataforma/testing/world';
import { startWebhooks } from '../src/service.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const url = 'https://shop.example/hook';

async function list(tenant = newTenant(), query = '') {
  const headers = merchantHeader(tenant, ['wallet:read']);
  const { status, data, meta } = await world.client(`/v1/webhook-config${query}`, { headers });
  const configurations = api.listWebhookConfigurations.data.array().parse(data);
  return { status, configurations, data, meta };
}

describe('a new webhook', () => {
  test('is answered with its fields and a generated secret', async () => {
    const { status, json } = await world.post(newTenant(), { url });

    expect(status).toBe(201);
    expect(json).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        events: [],
        isActive: true,
        signatureVersion: 'v1',
        retrySchedule: 'short',
        health: 'unknown',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    });
  });

  test('has the given secret and events', async () => {
    const events = ['charge.paid', 'dispute.opened', 'charge.paid'];

    const { json } = await world.post(newTenant(), { url, events, secret: 'a secret of my own' });

    expect(json.data).toMatchObject({
      events: ['charge.paid', 'dispute.opened'],
      secret: 'a secret of my own',
    });
  });

  test('is listed without its secret for its merchant and environment only', async () => {
    const tenant = newTenant('sandbox');
    const older = await world.configure(tenant, { url: `${url}/1` });
    const newer = await world.configure(tenant, { url: `${url}/2`, events: [...webhookEventTypes] });

    const { status, configurations, data } = await list(tenant);
    const elsewhere = await list({ ...tenant, environment: 'production' });
    const stranger = await list();

    expect(status).toBe(200);
    expect(configurations.map(({ id }) => id)).toEqual([newer.id, older.id]);
    expect(data).toEqual(configurations);
    expect(JSON.stringify(data)).not.toContain('secret');
    expect([elsewhere.configurations, stranger.configurations]).toEqual([[], []]);
  });

  test('is listed in pages that show all five by default', async () => {
    const tenant = newTenant('sandbox');
    const added = [];
    for (let i = 0; i < 5; i += 1) added.unshift(await world.configure(tenant, { url: `${url}/${i}` }));
    const newestFirst = added.map(({ id }) => id);

    const all = await list(tenant);
    const second = await list(tenant, '?page=2&limit=2');
    const elsewhere = await list({ ...tenant, environment: 'production' });

    expect(all.configurations.map(({ id }) => id)).toEqual(newestFirst);
    expect(all.meta).toEqual({ total: 5, page: 1, limit: 20, pages: 1 });
    expect(second.configurations.map(({ id }) => id)).toEqual(newestFirst.slice(2, 4));
    expect(second.meta).toEqual({ total: 5, page: 2, limit: 2, pages: 3, next: expect.any(String) });
    expect(elsewhere.meta).toEqual({ total: 0, page: 1, limit: 20, pages: 0 });
  });

  test('stores its secret encrypted with the id of its key', async () => {
    const { id, secret } = await world.configure(newTenant(), { url });

    const [row] = await world.database.query('SELECT * FROM configurations WHERE id = $1', [id]);

    expect(row?.secret_key_id).toBe('first');
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row?.secret_sealed.toString()).not.toContain(secret);
  });
});

test.each([
  ['with an invalid URL', { url: 'shop' }, 'url: must be a URL'],
  ['with credentials in the URL', { url: 'https://me:pw@shop.example/' }, 'url: may not hold credentials'],
  ['with a fragment', { url: 'https://shop.example/#top' }, 'url: may not have a fragment'],
  ['with another scheme', { url: 'ftp://shop.example/' }, 'url: must be an https URL'],
])('a webhook is refused %s', async (_what, body, message) => {
  const { status, json } = await world.post(newTenant(), body);

  expect(status).toBe(400);
  expect(json).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
  expect(json.error).toHaveProperty('message', expect.stringContaining(message));
});

test.each([
  'http://shop.example/',
  'https://127.1/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/',
  'https://168.63.129.16/',
  'https://185.60.1.1/',
])('without insecure URLs, %s is refused at creation and change', async (insecure) => {
  const strict = await startWebhooks({
    ...world.env,
    WEBHOOK_ALLOW_INSECURE: 'false',
    PRIVATE_ADDRESSES: '185.60.0.0/16',
  });
  const tenant = newTenant();
  const { id } = await world.configure(tenant, { url });
  const headers = { ...merchantHeader(tenant), 'content-type': 'application/json' };
  const send = (method: string, path: string) =>
    fetch(`${strict.url}/v1/webhook-config${path}`, {
      method,
      headers,
      body: JSON.stringify({ url: insecure }),
    });

  const answers = [await send('POST', ''), await send('PATCH', `/${id}`)];
  await strict.stop();

  for (const answer of answers) {
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringMatching(/^url: must be /) },
    });
  }
});
