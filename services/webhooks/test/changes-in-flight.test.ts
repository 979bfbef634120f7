import { beforeEach, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { type Answer, eventually, type FakeMerchant, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { callsTo } from './support/calls.ts';
import { paid } from './support/emitter.ts';
import { isGenuine } from './support/faults.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const FAR_MS = 3_600_000;

// Long timeouts, so that an attempt does not time out while the test blocks its response.
const longTimeouts = { attemptTimeoutMs: 120_000, leaseMs: 240_000, drainMs: 100 };
const world = worldOfFile(() => startWorld({ retryDelaysMs: [300, FAR_MS], ...longTimeouts }));
const call = callsTo(world);
let shop: FakeMerchant;
let tenant: Tenant;
let configured: { id: string; secret: string };

beforeEach(async () => {
  shop = await world.startMerchant();
  tenant = newTenant();
  configured = await world.configure(tenant, { url: shop.url });
});

function deliveryRows(): Promise<Record<string, unknown>[]> {
  const rows = 'SELECT status, attempts FROM deliveries WHERE merchant_id = $1 ORDER BY status';
  return world.database.query(rows, [tenant.merchantId]);
}

const become = (...rows: object[]) =>
  eventually(async () => expect(await deliveryRows()).toMatchObject(rows));
const received = (count: number) => eventually(() => expect(shop.deliveries).toHaveLength(count));

/** Returns a response that is not sent until `release` is called. */
function blockedAnswer(answer: Answer): { answer: Promise<Answer>; release(): void } {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  return { answer: promise, release: () => resolve(answer) };
}

describe('the deletion of a webhook', () => {
  test('lets running requests end without retries', async () => {
    const good = blockedAnswer({ status: 200 });
    const bad = blockedAnswer({ status: 500 });
    shop.answer(() => (shop.deliveries.length === 1 ? good.answer : bad.answer));
    await world.emitter.announce(paid(tenant), paid(tenant));
    await received(2);

    const deleted = await call(tenant, `DELETE /${configured.id}`);
    const meanwhile = await deliveryRows();
    good.release();
    bad.release();
    await become({ status: 'FAILED', attempts: 1 }, { status: 'SUCCEEDED', attempts: 1 });

    expect(deleted.status).toBe(200);
    expect(meanwhile).toEqual([0, 1].map(() => ({ status: 'PENDING', attempts: 0 })));
    expect(shop.deliveries).toHaveLength(2);
  });

  test('fails deliveries that wait for a retry at once', async () => {
    shop.answer(() => ({ status: 500 }));
    await world.emitter.announce(paid(tenant));
    await become({ status: 'PENDING', attempts: 2 });

    await call(tenant, `DELETE /${configured.id}`);
    await become({ status: 'FAILED', attempts: 2 });

    expect(shop.deliveries).toHaveLength(2);
  });

  test('fails many waiting deliveries, beyond the size of a claim', async () => {
    shop.answer(() => blockedAnswer({ status: 200 }).answer);
    await world.emitter.announce(...Array.from({ length: 1_200 }, () => paid(tenant)));
    await eventually(async () => expect(await deliveryRows()).toHaveLength(1_200));

    await received(4);
    await call(tenant, `DELETE /${configured.id}`);
    await eventually(async () => {
      const waiting = (await deliveryRows()).filter(({ status }) => status === 'PENDING');
      expect(waiting.length).toBeLessThanOrEqual(4);
    });

    expect(shop.deliveries).toHaveLength(4);
    await shop.stop();
  });

  test('during the matching of events prevents later deliveries', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const owner = newTenant();
      const { id } = await world.configure(owner, { url: `${shop.url}/${round}` });
      const events = Array.from({ length: 10 }, () => paid(owner));

      const announcing = world.emitter.announce(...events);
      await call(owner, `DELETE /${id}`);
      const path = `/${round}`;
      await announcing;
      await eventually(async () => {
        const stored = 'SELECT count(*) AS total FROM events WHERE merchant_id = $1';
        expect(await world.database.query(stored, [owner.merchantId])).toEqual([{ total: 10 }]);
        const waiting = `SELECT id FROM deliveries WHERE merchant_id = $1 AND status = 'PENDING'`;
        expect(await world.database.query(waiting, [owner.merchantId])).toEqual([]);
      });

      const ends = await world.database.query(
        'SELECT status, count(*) AS total FROM deliveries WHERE merchant_id = $1 AND attempts > 0 GROUP BY status',
        [owner.merchantId],
      );
      const sent = shop.deliveries.filter((delivery) => delivery.path === path).length;
      expect(ends).toEqual(sent > 0 ? [{ status: 'SUCCEEDED', total: sent }] : []);
    }
  });
});

test('an inactive webhook fails waiting deliveries and resumes with new events', async () => {
  shop.answer(() => ({ status: 500 }));
  await world.emitter.announce(paid(tenant));
  await become({ status: 'PENDING', attempts: 2 });

  await call(tenant, `PATCH /${configured.id}`, { body: { isActive: false } });
  await become({ status: 'FAILED', attempts: 2 });
  const undelivered = paid(tenant);
  await world.emitter.announce(undelivered);
  await eventually(async () => {
    // Only `charge.paid` is counted, because the failing endpoint causes other events too.
    const stored = `SELECT count(*) AS total FROM events WHERE merchant_id = $1 AND type = 'charge.paid'`;
    expect(await world.database.query(stored, [tenant.merchantId])).toEqual([{ total: 2 }]);
  });
  shop.answer(() => ({ status: 200 }));
  await call(tenant, `PATCH /${configured.id}`, { body: { isActive: true } });
  const delivered = paid(tenant);
  await world.emitter.announce(delivered);
  const deliveriesOf = (id: string) => shop.deliveries.filter(({ body }) => body.includes(id));
  await eventually(() => expect(deliveriesOf(delivered.data.id)).toHaveLength(1));

  expect(deliveriesOf(undelivered.data.id)).toHaveLength(0);
});

test('a new URL gets the next attempt with equal id and bytes', async () => {
  const elsewhere = await world.startMerchant();
  const blocked = blockedAnswer({ status: 500 });
  shop.answer(() => blocked.answer);
  await world.emitter.announce(paid(tenant));
  await received(1);

  await call(tenant, `PATCH /${configured.id}`, { body: { url: `${elsewhere.url}/new` } });
  blocked.release();
  await become({ status: 'SUCCEEDED', attempts: 2 });

  const [before] = shop.deliveries;
  expect(shop.deliveries).toHaveLength(1);
  expect(elsewhere.deliveries).toHaveLength(1);
  expect(elsewhere.deliveries[0]).toMatchObject({ path: '/new', body: before?.body });
  expect(elsewhere.deliveries[0]?.headers['x-webhook-id']).toBe(before?.headers['x-webhook-id']);
});

describe('a new secret', () => {
  test('signs from the next attempt on, and the running one counts', async () => {
    const blocked = blockedAnswer({ status: 500 });
    shop.answer(() => (shop.deliveries.length === 1 ? blocked.answer : { status: 200 }));
    await world.emitter.announce(paid(tenant));
    await received(1);

    const { json } = await call(tenant, `POST /${configured.id}/rotate-secret`);
    blocked.release();
    await become({ status: 'SUCCEEDED', attempts: 2 });

    const { secret } = api.rotateWebhookSecret.data.parse(json.data);
    const signed = shop.deliveries.map((each) => [configured.secret, secret].map((s) => isGenuine(each, s)));
    expect(signed).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(new Set(shop.deliveries.map(({ body }) => body.toString('hex'))).size).toBe(1);
  });

  test('or its predecessor signs every delivery during repeated rotations', async () => {
    const secrets = [configured.secret];
    const events = Array.from({ length: 3 * rounds(20) }, () => paid(tenant));

    for (let round = 0; round < rounds(20); round += 1) {
      await world.emitter.announce(...events.slice(round * 3, round * 3 + 3));
      const { json } = await call(tenant, `POST /${configured.id}/rotate-secret`);
      secrets.push(api.rotateWebhookSecret.data.parse(json.data).secret);
    }
    await received(events.length);

    const signers = shop.deliveries.map((d) => secrets.findIndex((secret) => isGenuine(d, secret)));
    expect(signers.every((signer) => signer >= 0)).toBe(true);
    await world.emitter.announce(paid(tenant));
    await received(events.length + 1);
    const [last] = shop.deliveries.slice(-1);
    expect(last && isGenuine(last, secrets.at(-1) ?? '')).toBe(true);
  });
});
