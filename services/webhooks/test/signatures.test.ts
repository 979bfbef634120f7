import { createHmac, timingSafeEqual } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { type Delivery, eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { newSecret } from '../src/new-secret.ts';
import { headersOf, signingKeysOf } from '../src/sending/signatures.ts';
import { callsTo } from './support/calls.ts';
import { paid } from './support/emitter.ts';
import { isGenuine } from './support/faults.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const message = { id: 'a', eventId: 'b', isTest: false, sequence: 1, signatureVersion: 'standard' as const };

describe('a signature of Standard Webhooks', () => {
  test('matches the published example', () => {
    const at = new Date(1_614_265_330_000);
    const body = Buffer.from('{"test": 2432232314}');
    const keys = signingKeysOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');

    const headers = headersOf({ ...message, id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body, at }, [keys]);

    expect(headers).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('uses the bytes of a secret without the prefix as key', () => {
    const at = new Date(1_614_265_330_999);
    const secret = 'um segredo meu, ção';

    const headers = headersOf({ ...message, body: Buffer.from('{}'), at }, [signingKeysOf(secret)]);

    const expected = createHmac('sha256', secret).update('a.1614265330.{}').digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  });

  test('works with every generated secret', () => {
    for (const secret of Array.from({ length: 100 }, newSecret)) {
      const encoded = secret.slice('whsec_'.length);
      expect(Buffer.from(encoded, 'base64')).toHaveLength(32);
      expect(Buffer.from(encoded, 'base64').toString('base64')).toBe(encoded);
    }
  });
});

const world = worldOfFile(() => startWorld({ retryDelaysMs: [10, 1_100, 10, 10, 10] }));
const call = callsTo(world);
const shop = beforeFile(() => world.startMerchant());

/** Verifies a signature as a receiver does, without using code of the platform. */
function verifies({ headers, body }: Delivery, secret: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body.toString()}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(signed).digest();
  const [version, given = ''] = String(headers['webhook-signature']).split(',');
  const bytes = Buffer.from(given, 'base64');
  return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Publishes one paid charge and waits for `count` deliveries of this event. */
async function deliveriesOfOne(tenant: Tenant, count: number): Promise<Delivery[]> {
  const event = paid(tenant);
  const ofEvent = () => shop.deliveries.filter(({ body }) => body.includes(event.data.id));
  await world.emitter.announce(event);
  await eventually(() => expect(ofEvent().length).toBeGreaterThanOrEqual(count));
  return ofEvent();
}

describe('a webhook with the standard signature', () => {
  test('gets the standard headers beside the contract’s for each attempt', async () => {
    const tenant = newTenant();
    const { secret } = await world.configure(tenant, { url: shop.url, signatureVersion: 'standard' });
    shop.answer(({ body }) => ({
      status: shop.deliveries.filter((d) => d.body.equals(body)).length < 3 ? 500 : 200,
    }));

    const deliveries = await deliveriesOfOne(tenant, 3);

    for (const delivery of deliveries) {
      const { headers, receivedAt } = delivery;
      expect(verifies(delivery, secret)).toBe(true);
      expect(headers['webhook-id']).toBe(headers['x-webhook-id']);
      expect(isGenuine(delivery, secret)).toBe(true);
      expect(Number(headers['webhook-timestamp'])).toBeLessThanOrEqual(receivedAt / 1000);
    }
    const moments = deliveries.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(moments[2]).toBeGreaterThan(moments[0] ?? 0);
    expect(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('can change to it and back', async () => {
    const tenant = newTenant();
    const { id, secret } = await world.configure(tenant, { url: shop.url });
    shop.answer(() => ({ status: 200 }));

    const [before] = await deliveriesOfOne(tenant, 1);
    await call(tenant, `PATCH /${id}`, { body: { signatureVersion: 'standard' } });
    const [changed] = await deliveriesOfOne(tenant, 1);
    await call(tenant, `PATCH /${id}`, { body: { signatureVersion: 'v1' } });
    const [after] = await deliveriesOfOne(tenant, 1);

    const signatures = [before, changed, after].map((delivery) => delivery?.headers['webhook-signature']);
    expect(signatures).toEqual([undefined, expect.stringMatching(/^v1,/), undefined]);
    expect(changed && verifies(changed, secret)).toBe(true);
  });

  const ofBytes = (length: number) => `whsec_${Buffer.alloc(length, 0xfb).toString('base64')}`;
  const refusal = {
    code: 'VALIDATION_ERROR',
    message: 'secret: must be whsec_ and the Base64 of 24 to 64 bytes for the signature standard',
  };

  test.each([
    ['without the prefix', 'um segredo bem comprido, e ainda mais'],
    ['that is Base64 without the prefix', ofBytes(32).slice('whsec_'.length)],
    ['with invalid Base64 after the prefix', 'whsec_not-base64_at-all'],
    ['in URL-safe Base64', ofBytes(32).replaceAll('+', '-').replaceAll('/', '_')],
    ['without its padding', ofBytes(32).replace('=', '')],
    ['that is too short', ofBytes(23)],
    ['that is too long', ofBytes(65)],
  ])('is refused a secret %s: at creation, rotation and change', async (_what, unreadable) => {
    const tenant = newTenant();
    const standard = { url: shop.url, signatureVersion: 'standard' };

    const created = await call(tenant, 'POST ', { body: { ...standard, secret: unreadable } });
    const { id } = await world.configure(tenant, standard);
    const rotated = await call(tenant, `POST /${id}/rotate-secret`, { body: { secret: unreadable } });
    const plain = await world.configure(tenant, { url: shop.url, secret: unreadable });
    const changed = await call(tenant, `PATCH /${plain.id}`, { body: { signatureVersion: 'standard' } });
    await call(tenant, `POST /${plain.id}/rotate-secret`, { body: {} });
    const changedLater = await call(tenant, `PATCH /${plain.id}`, { body: { signatureVersion: 'standard' } });

    expect([created.json.error, rotated.json.error]).toEqual([refusal, refusal]);
    expect([changed.status, changed.json.error?.code]).toEqual([409, 'INVALID_STATE']);
    expect(changedLater.status).toBe(200);
  });

  test.each([24, 64])('accepts a secret of %i bytes', async (length) => {
    const tenant = newTenant();
    const { id } = await world.configure(tenant, { url: shop.url, secret: ofBytes(length) });

    const changed = await call(tenant, `PATCH /${id}`, { body: { signatureVersion: 'standard' } });
    const rotated = await call(tenant, `POST /${id}/rotate-secret`, { body: { secret: ofBytes(length) } });

    expect([changed.status, rotated.status]).toEqual([200, 200]);
  });

  test('with an older unprefixed secret can change and still signs', async () => {
    const tenant = newTenant();
    const secret = 'um segredo bem comprido';
    const { id } = await world.configure(tenant, { url: 'https://shop.example/', secret });
    await world.database.query(`UPDATE configurations SET signature_version = 'standard' WHERE id = $1`, [
      id,
    ]);
    shop.answer(() => ({ status: 200 }));

    const body = { url: shop.url, signatureVersion: 'standard' };
    const { status } = await call(tenant, `PATCH /${id}`, { body });
    const [delivery] = await deliveriesOfOne(tenant, 1);

    expect(status).toBe(200);
    expect(delivery && verifies(delivery, Buffer.from(secret).toString('base64'))).toBe(true);
  });
});
