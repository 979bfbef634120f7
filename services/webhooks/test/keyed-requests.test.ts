import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { type Calls, callsTo } from './support/calls.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld, type World } from './support/world.ts';

let world: World;
let call: Calls;

beforeAll(async () => {
  world = await sharedWorld();
  call = callsTo(world);
});
afterAll(() => world.stop());

const url = 'https://shop.example/hook';
const idempotencyKey = 'configurar-1';

const rowsOf = (table: string, { merchantId }: { merchantId: string }) =>
  world.database.query(`SELECT * FROM ${table} WHERE merchant_id = $1`, [merchantId]);

describe('a configuration with an Idempotency-Key', () => {
  test('is created once, and its secret shown again to the same request', async () => {
    const tenant = newTenant();

    const first = await call(tenant, 'POST ', { body: { url }, idempotencyKey });
    const again = await call(tenant, 'POST ', { body: { url }, idempotencyKey });
    const other = await call(tenant, 'POST ', { body: { url: `${url}/2` }, idempotencyKey });

    expect([first.status, again.status, again.isReplay]).toEqual([201, 201, true]);
    expect(again.json).toEqual(first.json);
    expect(other.json.error?.code).toBe('IDEMPOTENCY_CONFLICT');
    expect(await rowsOf('configurations', tenant)).toHaveLength(1);
  });

  test('has its answer kept without a readable secret', async () => {
    const tenant = newTenant();
    const body = { url, secret: 'um segredo só meu' };

    await call(tenant, 'POST ', { body, idempotencyKey: 'com segredo' });

    const rows = await world.database.query('SELECT * FROM idempotency_keys');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(body.secret);
  });

  test('is created once when ten come at once, also where it is the fifth', async () => {
    const tenant = newTenant();
    for (let i = 0; i < 4; i += 1) await world.configure(tenant, { url });

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(tenant, 'POST ', { body: { url }, idempotencyKey })),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    expect(await rowsOf('configurations', tenant)).toHaveLength(5);
  });
});

describe('a rotation with an Idempotency-Key', () => {
  test('gives one new secret, however often it is sent', async () => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url });
    const rotate = () => call(tenant, `POST /${id}/rotate-secret`, { body: {}, idempotencyKey });

    const answers = [...(await Promise.all([rotate(), rotate(), rotate()])), await rotate()];

    const secrets = answers.map(({ json }) => api.rotateWebhookSecret.data.parse(json.data).secret);
    expect(new Set(secrets).size).toBe(1);
    expect(await rowsOf('configurations', tenant)).toMatchObject([{ version: 2 }]);
  });
});

describe('a test with an Idempotency-Key', () => {
  test('is sent once, however often it is asked for', async () => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url: (await world.startMerchant()).url });
    const ask = () => call(tenant, `POST /${id}/test`, { idempotencyKey });

    const answers = [...(await Promise.all([ask(), ask(), ask()])), await ask()];

    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    expect(await rowsOf('deliveries', tenant)).toHaveLength(1);
  });
});
