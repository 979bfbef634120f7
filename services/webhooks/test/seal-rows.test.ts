import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { eventually } from '@plataforma/testing';
import { openAt, runSealRows, worldOfFile } from '@plataforma/testing/world';
import { callsTo } from './support/calls.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const HOUR_MS = 3_600_000;
const world = worldOfFile(() => startWorld({ pollMs: 5, retryDelaysMs: [HOUR_MS] }));
const call = callsTo(world);
let insider: Database;

beforeAll(() => {
  insider = openAt(world.env.DATABASE_URL ?? '');
});
afterAll(() => insider?.close());

const sealRows = () => runSealRows('webhooks', world.env);

const FREE = `
  UPDATE deliveries SET due_at = now(), lease_token = NULL, leased_until = NULL
  WHERE merchant_id = $1 AND status = 'PENDING'`;

test('the rows of an earlier release wait until the command has sealed them', async () => {
  const [tenant, shop] = [newTenant(), await world.startMerchant()];
  const { id } = await world.configure(tenant, { url: shop.url, signatureVersion: 'standard' });
  await call(tenant, `POST /${id}/rotate-secret`, { body: { gracePeriodSeconds: 600 } });
  shop.answer(() => ({ status: 500 }));
  await world.emitter.announce(paid(tenant));
  await shop.waitFor(() => true);
  // The sender seals the delivery anew when it stores the answer.
  await eventually(async () =>
    expect(
      await insider.query('SELECT attempts FROM deliveries WHERE merchant_id = $1', [tenant.merchantId]),
    ).toEqual([{ attempts: 1 }]),
  );
  for (const table of ['configurations', 'old_secrets', 'events', 'deliveries'])
    await insider.queryUnprepared(`UPDATE ${table} SET seal = NULL`, []);
  const change = () => call(tenant, `PATCH /${id}`, { body: { isActive: true } });
  expect(await change()).toMatchObject({ status: 409 });

  // An event about the failing endpoint may be stored too, before or after the seals are removed.
  const events = (await insider.query('SELECT id FROM events WHERE seal IS NULL', [])).length;
  expect(events).toBeGreaterThan(0);
  expect(await sealRows()).toMatchObject({ configurations: 1, old_secrets: 1, events, deliveries: 1 });

  shop.answer(() => ({ status: 200 }));
  await eventually(async () => {
    // A delivery whose lease is removed while it is being sent is sent again.
    await insider.query(FREE, [tenant.merchantId]);
    expect(shop.deliveries.length).toBeGreaterThan(1);
  });
  expect(String(shop.deliveries[1]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
  expect(await change()).toMatchObject({ status: 200 });
  expect(await sealRows()).toMatchObject({ configurations: 0, old_secrets: 0, events: 0, deliveries: 0 });
});
