import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { sendRaw } from '@plataforma/testing/fixtures';
import { worldOfFile } from '@plataforma/testing/world';
import { type FreshGateway, startCircuitWorld } from './support/circuits.ts';
import { sendAndHangUp } from './support/send.ts';

const world = worldOfFile(startCircuitWorld);
let gateway: FreshGateway;

beforeEach(async () => {
  gateway = await world.freshGateway();
});
afterEach(() => gateway.stop());

/** A request that uses a new connection. */
const ASK_FOR_HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('a closed circuit', () => {
  test('stays closed after error answers of a service', async () => {
    const body = '{"success":false,"error":{"code":"INTERNAL_ERROR","message":"sorry"}}';
    world.charges.answer(() => ({ status: 500, body }));
    await gateway.open();

    world.charges.answer(() => ({ status: 200 }));

    expect((await gateway.read()).status).toBe(200);
  });

  test('stays closed after answers that are too long', async () => {
    const body = `{"success":true,"data":["${'x'.repeat(4 * 1024 * 1024)}"]}`;
    world.charges.answer(() => ({ status: 200, body }));
    const long = await gateway.read();
    await gateway.open();

    world.charges.answer(() => ({ status: 200 }));

    expect([long.status, long.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(long.json.error?.message).toContain('ask for fewer at a time');
    expect((await gateway.read()).status).toBe(200);
  });

  test('stays closed for other classes of callers', async () => {
    const live = await world.newKey(await world.approvedMerchant(), { environment: 'production' });
    const operator = await world.operator();
    world.charges.intercept((req) => req.socket.destroy());
    await gateway.open();
    world.charges.intercept(undefined);

    const turnedAway = await gateway.read();
    const answered = await Promise.all([
      gateway.call('/v1/charges', { headers: { 'x-api-key': live.key } }),
      gateway.call('/v1/admin/charges', { headers: operator }),
    ]);

    expect(turnedAway.status).toBe(503);
    expect(answered.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('stays closed when callers hang up before the answer', async () => {
    for (let count = 0; count < 30; count += 1) {
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
      world.charges.intercept((req) => void req.on('data', () => arrive()));
      const caller = request(`${gateway.url}/v1/charges`, {
        method: 'POST',
        headers: { ...world.headers, 'content-type': 'application/json', 'content-length': 1_000 },
      });
      const over = new Promise((resolve) => caller.on('error', () => undefined).on('close', resolve));
      caller.write('x'.repeat(1_000));
      await arrived;
      caller.destroy();
      await over;
    }

    world.charges.intercept(undefined);

    expect((await gateway.read()).status).toBe(200);
  });

  test('stays closed when callers hang up during authentication', async () => {
    const { port } = new URL(gateway.url);
    const bytesTo = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.headers['x-api-key']}\r\n\r\n`;

    await world.database.transaction(async (tx) => {
      await tx.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
      const paths = Array.from({ length: 40 }, (_, index) => (index % 2 ? '/v1/charges' : '/v1/statement'));
      await Promise.all(paths.map((path) => sendAndHangUp(Number(port), bytesTo(path))));
      await eventually(async () => {
        const waiting = await tx.query(
          "SELECT 1 FROM pg_locks WHERE relation = 'api_keys'::regclass AND NOT granted",
        );
        expect(waiting.length).toBeGreaterThan(0);
      });
      // Each of these requests takes several turns of the event loop. The gateway notices closed connections
      // in these turns.
      for (let round = 0; round < 10; round += 1) await sendRaw(Number(port), ASK_FOR_HEALTH);
    });

    expect((await gateway.read()).status).toBe(200);
    expect((await gateway.call('/v1/statement', { headers: world.headers })).status).toBe(200);
    expect([world.charges.requests.length, world.services.ledger.requests.length]).toEqual([1, 1]);
  });

  test('stays closed when callers hang up in the middle of a request', async () => {
    await gateway.read();
    const before = world.charges.requests.length;
    const { port } = new URL(gateway.url);
    const head = `POST /v1/charges HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.headers['x-api-key']}\r\n`;
    const half = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"amount":';
    for (let count = 0; count < 30; count += 1) await sendAndHangUp(Number(port), head + half);

    expect((await gateway.read()).status).toBe(200);
    expect(world.charges.requests.length - before).toBe(1);
  });
});
