import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { callsTo } from './support/calls.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const call = callsTo(world);

const url = 'https://shop.example/hook';

async function listed(tenant: Tenant) {
  const { json } = await call(tenant, 'GET ');
  return api.listWebhookConfigurations.data.array().parse(json.data);
}

/** All requests that name a configuration. */
const calls: [line: string, body: unknown][] = [
  ['PATCH /ID', { isActive: false }],
  ['DELETE /ID', undefined],
  ['POST /ID/rotate-secret', {}],
  ['POST /ID/test', undefined],
];

describe('a change of a webhook', () => {
  test('affects only the fields of the request', async () => {
    const tenant = newTenant();
    const { secret: _secret, ...before } = await world.configure(tenant, { url, events: ['charge.paid'] });

    const moved = await call(tenant, `PATCH /${before.id}`, { body: { url: `${url}/2`, more: 1 } });
    const rest = { events: ['charge.expired', 'charge.expired'], isActive: false, retrySchedule: 'extended' };
    const changed = await call(tenant, `PATCH /${before.id}`, {
      body: { ...rest, signatureVersion: 'standard' },
    });
    const same = await call(tenant, `PATCH /${before.id}`, { body: {} });

    const after = {
      ...before,
      ...rest,
      url: `${url}/2`,
      events: ['charge.expired'],
      signatureVersion: 'standard',
    };
    expect(moved).toMatchObject({ status: 200, json: { data: { ...before, url: `${url}/2` } } });
    expect(changed.json.data).toEqual(after);
    expect(same.json.data).toEqual(after);
    expect(await listed(tenant)).toEqual([after]);
  });

  test.each([
    ['another scheme', { url: 'ftp://shop.example/' }, 'url: must be an https URL'],
    ['credentials in the URL', { url: 'https://me:pw@shop.example/' }, 'url: may not hold credentials'],
    ['text for isActive', { isActive: 'true' }, 'isActive: must be'],
    ['an unknown event', { events: ['charge.sold'] }, 'events.0: must be one of'],
    ['the test event', { events: ['webhook.test'] }, 'events.0: must be one of'],
    ['an unknown signature', { signatureVersion: 'v2' }, 'signatureVersion: must be one of'],
    ['an unknown schedule', { retrySchedule: 'long' }, 'retrySchedule: must be one of'],
  ])('with %s is refused as a whole', async (_what, body, message) => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url });
    const before = await listed(tenant);

    const { status, json } = await call(tenant, `PATCH /${id}`, {
      body: { retrySchedule: 'extended', ...body },
    });

    expect(status).toBe(400);
    expect(json.error).toEqual({ code: 'VALIDATION_ERROR', message: expect.stringContaining(message) });
    expect(await listed(tenant)).toEqual(before);
  });

  test('of two fields in concurrent requests loses neither', async () => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url });

    for (let round = 0; round < rounds(20); round += 1) {
      const [one, other] = [{ url: `${url}/${round}` }, { isActive: round % 2 === 0 }];
      await Promise.all([one, other].map((body) => call(tenant, `PATCH /${id}`, { body })));
      expect(await listed(tenant)).toMatchObject([{ ...one, ...other }]);
    }
  });
});

describe('the deletion of a webhook', () => {
  test('removes its secret and hides it from lists', async () => {
    const tenant = newTenant();
    const other = await world.configure(tenant, { url: `${url}/kept` });
    const { id } = await world.configure(tenant, { url });

    const deleted = await call(tenant, `DELETE /${id}`);

    expect(deleted).toMatchObject({ status: 200, json: { data: { message: expect.any(String) } } });
    expect((await listed(tenant)).map((one) => one.id)).toEqual([other.id]);
    const [row] = await world.database.query(
      'SELECT secret_key_id, secret_sealed, is_active, deleted_at IS NULL AS kept FROM configurations WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ secret_key_id: null, secret_sealed: null, is_active: false, kept: false });
  });

  test.each(calls)('causes a 404 for %s', async (line, body) => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url });
    await call(tenant, `DELETE /${id}`);

    const { status, json } = await call(tenant, line.replace('ID', id), { body });

    expect([status, json.error?.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('happens once for concurrent requests', async () => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url });

    const answers = await Promise.all(Array.from({ length: 10 }, () => call(tenant, `DELETE /${id}`)));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(404)]);
  });

  test('frees one place, also for concurrent requests', async () => {
    const { merchantId } = newTenant();
    const tenants = (['sandbox', 'production'] as const).map((environment) => ({ merchantId, environment }));
    const [sandbox = newTenant(), production = newTenant()] = tenants;
    for (let i = 0; i < 3; i += 1) await world.configure(sandbox, { url });
    for (let i = 0; i < 2; i += 1) await world.configure(production, { url });

    for (let round = 0; round < rounds(20); round += 1) {
      const inSandbox = await listed(sandbox);
      const owner = inSandbox.length > 2 ? sandbox : production;
      const [first] = owner === sandbox ? inSandbox : await listed(production);
      const creating = Array.from({ length: 4 }, (_, i) => world.post(i % 2 ? sandbox : production, { url }));
      const deleting = call(owner, `DELETE /${first?.id}`);
      const created = (await Promise.all(creating)).filter(({ status }) => status === 201).length;
      expect((await deleting).status).toBe(200);
      expect(created).toBeLessThanOrEqual(1);
      if (created === 0) await world.configure(owner, { url });
      expect((await world.post(sandbox, { url })).json.error?.code).toBe('WEBHOOK_LIMIT_REACHED');
      expect([...(await listed(sandbox)), ...(await listed(production))]).toHaveLength(5);
    }
  });
});

describe('the rotation of a secret', () => {
  test('shows the generated or given secret once', async () => {
    const tenant = newTenant();
    const { id, secret } = await world.configure(tenant, { url });
    const [before] = await listed(tenant);

    const generated = await call(tenant, `POST /${id}/rotate-secret`, { body: {} });
    const unasked = await call(tenant, `POST /${id}/rotate-secret`);
    const own = await call(tenant, `POST /${id}/rotate-secret`, { body: { secret: 'a secret of my own' } });

    expect(generated).toMatchObject({
      status: 200,
      json: { data: { ...before, secret: expect.any(String) } },
    });
    const secrets = [generated, unasked].map(
      ({ json }) => api.rotateWebhookSecret.data.parse(json.data).secret,
    );
    expect(new Set([secret, ...secrets]).size).toBe(3);
    for (const each of secrets) expect(each).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(own.json.data).toEqual({ ...before, secret: 'a secret of my own' });
    expect(await listed(tenant)).toEqual([before]);
  });

  test('refuses a short secret', async () => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url });

    const { json } = await call(tenant, `POST /${id}/rotate-secret`, { body: { secret: '123456789012345' } });

    expect(json.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'secret: must have at least 16 characters',
    });
  });
});

const idempotencyKey = 'configurar-1';

const rowsOf = (table: string, { merchantId }: Tenant) =>
  world.database.query(`SELECT * FROM ${table} WHERE merchant_id = $1`, [merchantId]);

/** Creates a merchant with four webhooks. The first webhook sends to a test server. */
async function shop() {
  const tenant = newTenant();
  const { id } = await world.configure(tenant, { url: (await world.startMerchant()).url });
  for (let more = 0; more < 3; more += 1) await world.configure(tenant, { url });
  return { tenant, id };
}

test.each<[string, string, object, (tenant: Tenant) => Promise<unknown>]>([
  [
    'makes the fifth webhook',
    'POST ',
    { url },
    async (tenant) => expect(await rowsOf('configurations', tenant)).toHaveLength(5),
  ],
  [
    'gives one new secret',
    'POST /ID/rotate-secret',
    {},
    async (tenant) =>
      expect(await rowsOf('configurations', tenant)).toContainEqual(expect.objectContaining({ version: 2 })),
  ],
  [
    'sends one test',
    'POST /ID/test',
    {},
    async (tenant) => expect(await rowsOf('deliveries', tenant)).toHaveLength(1),
  ],
])('a request with an Idempotency-Key %s, also when repeated', async (_what, line, body, isDoneOnce) => {
  const { tenant, id } = await shop();
  const ask = () => call(tenant, line.replace('ID', id), { body, idempotencyKey });

  const answers = [...(await Promise.all(Array.from({ length: 10 }, ask))), await ask()];

  expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
  expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1);
  expect([answers[0]?.json.success, answers.at(-1)?.isReplay]).toEqual([true, true]);
  await isDoneOnce(tenant);
});

test('an idempotency record contains no readable secret', async () => {
  const body = { url, secret: 'um segredo só meu' };

  await call(newTenant(), 'POST ', { body, idempotencyKey: 'com segredo' });

  const rows = await world.database.query('SELECT * FROM idempotency_keys');
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(body.secret);
});
