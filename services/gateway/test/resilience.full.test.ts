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

/** Returns the number of connections that the service gets because of a call. */
async function connectionsOf(asking: () => Promise<unknown>): Promise<number> {
  const before = world.charges.connections.length;
  await asking();
  return world.charges.connections.length - before;
}

describe('a service that is down', () => {
  test.each<[string, string, () => ReturnType<FreshGateway['read']>]>([
    ['a read', 'try again shortly', () => gateway.read()],
    [
      'a write',
      'no answer arrived: send it again with the same externalId or Idempotency-Key, or first check the outcome',
      () => gateway.write(),
    ],
  ])('is answered for with 503 and advice: %s', async (_what, message, ask) => {
    await world.charges.down();

    const { status, headers: answered, json } = await ask();

    expect([status, answered['retry-after']]).toEqual([503, '2']);
    expect(json.error).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message,
    });
  });

  test('is answered for with 503 when it hangs up during a request', async () => {
    world.charges.intercept((req) => req.socket.destroy());
    const early = await gateway.write();
    world.charges.intercept((req) => req.resume().on('end', () => req.socket.destroy()));
    const late = await gateway.write();

    expect([early.code, late.code]).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
  });

  test('does not affect requests to other services', async () => {
    await world.charges.down();
    await gateway.open();

    const { status } = await gateway.call('/v1/balance', { headers: world.headers });

    expect(status).toBe(200);
  });

  test('opens its circuit, which closes soon after it is back', async () => {
    world.charges.intercept((req) => req.socket.destroy());
    const firstConnections = await connectionsOf(gateway.read);
    await gateway.open();

    const left = await Promise.all([connectionsOf(gateway.read), connectionsOf(gateway.read)]);
    const { status, headers: answered } = await gateway.read();

    expect([firstConnections, ...left]).toEqual([1, 0, 0]);
    expect([status, answered['retry-after']]).toEqual([503, '2']);
    world.charges.intercept(undefined);
    await eventually(async () => expect((await gateway.read()).status).toBe(200), { timeoutMs: 5_000 });
    expect((await Promise.all(Array.from({ length: 20 }, gateway.read))).map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, () => 200),
    );
  });

  test('reopens its circuit while it is still down', async () => {
    world.charges.intercept((req) => req.socket.destroy());
    await gateway.open(gateway.write);
    await eventually(async () => expect(await connectionsOf(gateway.write)).toBe(1), { timeoutMs: 5_000 });

    const left = await connectionsOf(gateway.write);

    expect(left).toBe(0);
    world.charges.intercept(undefined);
    await eventually(async () => expect((await gateway.write()).status).toBe(200), { timeoutMs: 5_000 });
  });

  test('is answered for with 503 when it hangs up during an answer', async () => {
    world.charges.intercept((req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      res.write('{"success":');
      setTimeout(() => req.socket.destroy(), 20);
    });

    expect(await gateway.read()).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  });

  test('cuts off a long answer instead of ending it early', async () => {
    world.services.ledger.intercept((req, res) => {
      res.writeHead(200, { 'content-type': 'text/csv' });
      res.write('first\n');
      setTimeout(() => req.socket.destroy(), 20);
    });

    const asFile = { ...world.headers, accept: 'text/csv' };

    await expect(gateway.call('/v1/statement', { headers: asFile })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
  });
});

describe('a service with many slow requests', () => {
  const hanging: (() => void)[] = [];
  const sends = (of: { key: string }, count: number) =>
    Array.from({ length: count }, () =>
      gateway.call('/v1/charges', {
        method: 'POST',
        headers: { 'x-api-key': of.key },
        body: { amount: 2500 },
      }),
    );
  const reads = (of: { key: string }) => gateway.call('/v1/charges', { headers: { 'x-api-key': of.key } });
  /** Sends `sent` requests and waits until `arrive` of them have reached the service. */
  async function occupy(of: { key: string }, { sent, arrive }: { sent: number; arrive: number }) {
    const before = hanging.length;
    const answers = sends(of, sent);
    await eventually(() => expect(hanging).toHaveLength(before + arrive));
    return answers;
  }

  beforeEach(() => {
    hanging.length = 0;
    world.charges.intercept((req, res) => {
      if (req.method === 'POST') hanging.push(() => void res.end('{"success":true,"data":{}}'));
      else res.end('{"success":true,"data":[]}');
    });
  });

  test('has slots left for other merchants and for production', async () => {
    const [first, second, third] = [
      await world.newKey(await world.newMerchant()),
      await world.newKey(await world.newMerchant()),
      await world.newKey(await world.newMerchant()),
    ];
    const live = await world.newKey(await world.approvedMerchant(), { environment: 'production' });

    const greedy = await occupy(first, { sent: 150, arrive: 128 });
    expect((await reads(second)).status).toBe(200);
    // An account must leave at least as many sandbox slots free as it takes. All sandboxes together have half
    // of the slots.
    const greedier = await occupy(second, { sent: 128, arrive: 64 });

    expect([(await reads(third)).status, (await reads(live)).status]).toEqual([200, 200]);
    for (const answer of hanging) answer();
    const answered = await Promise.all([...greedy, ...greedier]);
    const refused = answered.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(22 + 64);
    expect(refused[0]?.json.error).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'too many requests are under way: send fewer at a time, and try again shortly',
    });
    expect((await reads(third)).status).toBe(200);
  });
});

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
