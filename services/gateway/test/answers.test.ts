import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import type { FakeService } from './support/fake-service.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;
let key: string;
let charges: FakeService;

beforeAll(async () => {
  world = await startWorld();
  ({ key } = await world.newKey(await world.newMerchant()));
  charges = world.services.charges;
});
afterAll(() => world.stop());

const withKey = () => ({ 'x-api-key': key });

describe('an answer of a service', () => {
  test.each([
    [201, '{"success":true,"data":{"id":"1"}}'],
    [402, '{"success":false,"error":{"code":"CARD_DECLINED","message":"insufficient_funds"}}'],
    [409, '{"success":false,"error":{"code":"EXTERNAL_ID_CONFLICT","message":"used"}}'],
    [500, '{"success":false,"error":{"code":"INTERNAL_ERROR","message":"sorry"}}'],
  ])('with status %d passes through unchanged', async (status, body) => {
    const headers = { 'x-own': 'yes', 'idempotency-replayed': 'true', 'access-control-allow-origin': '*' };
    charges.answer(() => ({ status, body, headers }));

    const answer = await world.call('/v1/charges', { headers: withKey() });

    expect([answer.status, answer.text]).toEqual([status, body]);
    expect(answer.headers).toMatchObject(headers);
    charges.answer(() => ({ status: 200 }));
  });

  test('about when to come back passes through too', async () => {
    const body = '{"success":false,"error":{"code":"PROVIDER_UNAVAILABLE","message":"later"}}';
    charges.answer(() => ({ status: 503, body, headers: { 'retry-after': '17' } }));

    const { status, headers, code } = await world.call('/v1/charges', { headers: withKey() });

    expect([status, code, headers['retry-after']]).toEqual([503, 'PROVIDER_UNAVAILABLE', '17']);
    charges.answer(() => ({ status: 200 }));
  });

  test('does not decide whether the caller’s connection goes on', async () => {
    charges.answer(() => ({ status: 200, headers: { connection: 'close' } }));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const connectionOf = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        request(`${world.gateway.url}/v1/charges`, { agent, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.headers.connection));
        })
          .on('error', reject)
          .end();
      });

    const kept = await connectionOf(withKey());
    const closed = await connectionOf({ ...withKey(), connection: 'close' });

    expect([kept, closed]).toEqual(['keep-alive', 'close']);
    charges.answer(() => ({ status: 200 }));
    agent.destroy();
  });
});

describe('a large body', () => {
  const megabytes = Buffer.alloc(5 * 1024 * 1024, 'x');

  test('streams through to the service, which alone says what is too large', async () => {
    const { status } = await world.call('/v1/charges', {
      method: 'POST',
      headers: withKey(),
      body: megabytes,
    });

    expect(status).toBe(200);
    expect(charges.last().body.length).toBe(megabytes.length);
  });

  test('is refused in the service’s own words while it is still on its way', async () => {
    const refusal =
      '{"success":false,"error":{"code":"PAYLOAD_TOO_LARGE","message":"body: must be at most 100 KiB"}}';
    charges.intercept((req, res) => {
      res.writeHead(413, { 'content-type': 'application/json' }).end(refusal);
      req.resume();
    });

    const { status, text } = await world.call('/v1/charges', {
      method: 'POST',
      headers: withKey(),
      body: megabytes,
    });

    expect([status, text]).toEqual([413, refusal]);
    charges.intercept(undefined);
    await eventually(async () => {
      const after = await world.call('/v1/charges', {
        method: 'POST',
        headers: withKey(),
        body: { amount: 1 },
      });
      expect(after.status).toBe(200);
    });
  });
});
