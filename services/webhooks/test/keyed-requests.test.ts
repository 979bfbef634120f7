import { expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { callsTo } from './support/calls.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const call = callsTo(world);

const url = 'https://shop.example/hook';
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
