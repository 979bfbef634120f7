import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import type { FakeService } from './support/fake-service.ts';
import { type Sending, send, sendAndHangUp, sendRaw } from './support/send.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;
let charges: FakeService;
let headers: { 'x-api-key': string };
/** Of each test: circuits that no other test has opened. */
let gateway: World['gateway'];

beforeAll(async () => {
  world = await startWorld();
  charges = world.services.charges;
  const { key } = await world.newKey(await world.newMerchant());
  headers = { 'x-api-key': key };
});
beforeEach(async () => {
  gateway = await world.startReplica();
});
afterEach(async () => {
  await gateway.stop();
  await Promise.all(Object.values(world.services).map((service) => service.reset()));
});
afterAll(() => world.stop());

const call = (path: string, sending: Sending) => send(gateway.url + path, sending);
const read = () => call('/v1/charges', { headers });
const write = () => call('/v1/charges', { method: 'POST', headers, body: { amount: 2500 } });

/** On a connection of its own. */
const ASK_FOR_HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** Enough failures for the circuit to open. */
async function open(asking = read): Promise<void> {
  for (let count = 0; count < 25; count += 1) await asking();
}

/** Connections the service sees of one more call. */
async function connectionsOf(asking: () => Promise<unknown>): Promise<number> {
  const before = charges.connections.length;
  await asking();
  return charges.connections.length - before;
}

describe('a service that is down', () => {
  test.each<[string, string, () => ReturnType<typeof read>]>([
    ['a read', 'try again shortly', read],
    [
      'a write',
      'no answer came: send it again with the same externalId or Idempotency-Key, or look first whether it was done',
      write,
    ],
  ])('is answered for with 503 and what to do: %s', async (_what, message, ask) => {
    await charges.down();

    const { status, headers: answered, json } = await ask();

    expect([status, answered['retry-after']]).toEqual([503, '2']);
    expect(json.error).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message,
    });
  });

  test('is answered for when it hangs up in the middle of a request', async () => {
    charges.intercept((req) => req.socket.destroy());
    const early = await write();
    charges.intercept((req) => req.resume().on('end', () => req.socket.destroy()));
    const late = await write();

    expect([early.code, late.code]).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
  });

  test('concerns nobody who asks another one', async () => {
    await charges.down();
    await open();

    const { status } = await call('/v1/balance', { headers });

    expect(status).toBe(200);
  });

  test('is left alone after a while, and asked again soon', async () => {
    charges.intercept((req) => req.socket.destroy());
    const asked = await connectionsOf(read);
    await open();

    const left = await Promise.all([connectionsOf(read), connectionsOf(read)]);
    const { status, headers: answered } = await read();

    expect([asked, ...left]).toEqual([1, 0, 0]);
    expect([status, answered['retry-after']]).toEqual([503, '2']);
    charges.intercept(undefined);
    await eventually(async () => expect((await read()).status).toBe(200), { timeoutMs: 5_000 });
    expect((await Promise.all(Array.from({ length: 20 }, read))).map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, () => 200),
    );
  });

  test('is left alone again when it is still down after a while', async () => {
    charges.intercept((req) => req.socket.destroy());
    await open(write);
    await eventually(async () => expect(await connectionsOf(write)).toBe(1), { timeoutMs: 5_000 });

    const left = await connectionsOf(write);

    expect(left).toBe(0);
    charges.intercept(undefined);
    await eventually(async () => expect((await write()).status).toBe(200), { timeoutMs: 5_000 });
  });

  test('and falls silent in the middle of an answer is one that did not answer', async () => {
    charges.intercept((req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      res.write('{"success":');
      setTimeout(() => req.socket.destroy(), 20);
    });

    expect(await read()).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  });

  test('in the middle of a long answer cuts it off rather than end it early', async () => {
    world.services.ledger.intercept((req, res) => {
      res.writeHead(200, { 'content-type': 'text/csv' });
      res.write('first\n');
      setTimeout(() => req.socket.destroy(), 20);
    });

    const asFile = { ...headers, accept: 'text/csv' };

    await expect(call('/v1/statement', { headers: asFile })).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('a service that takes long over what somebody asks of it', () => {
  const hanging: (() => void)[] = [];
  const sends = (of: { key: string }, count: number) =>
    Array.from({ length: count }, () =>
      call('/v1/charges', { method: 'POST', headers: { 'x-api-key': of.key }, body: { amount: 2500 } }),
    );
  const reads = (of: { key: string }) => call('/v1/charges', { headers: { 'x-api-key': of.key } });
  /** Sends so many, and waits until the service has as many as it is to get. */
  async function occupy(of: { key: string }, { sent, arrive }: { sent: number; arrive: number }) {
    const before = hanging.length;
    const answers = sends(of, sent);
    await eventually(() => expect(hanging).toHaveLength(before + arrive));
    return answers;
  }

  beforeEach(() => {
    hanging.length = 0;
    charges.intercept((req, res) => {
      if (req.method === 'POST') hanging.push(() => void res.end('{"success":true,"data":{}}'));
      else res.end('{"success":true,"data":[]}');
    });
  });

  test('has places left for other merchants, and for production whatever sandboxes do', async () => {
    const [first, second, third] = [
      await world.newKey(await world.newMerchant()),
      await world.newKey(await world.newMerchant()),
      await world.newKey(await world.newMerchant()),
    ];
    const live = await world.newKey(await world.approvedMerchant(), { environment: 'production' });

    const greedy = await occupy(first, { sent: 150, arrive: 128 });
    expect((await reads(second)).status).toBe(200);
    const greedier = await occupy(second, { sent: 128, arrive: 128 });

    expect([(await reads(third)).status, (await reads(live)).status]).toEqual([503, 200]);
    for (const answer of hanging) answer();
    const answered = await Promise.all([...greedy, ...greedier]);
    const refused = answered.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(22);
    expect(refused[0]?.json.error).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'too many requests are under way: send fewer at a time, and try again shortly',
    });
    expect((await reads(third)).status).toBe(200);
  });
});

describe('what does not open a circuit', () => {
  test('are answers, whatever they say', async () => {
    const body = '{"success":false,"error":{"code":"INTERNAL_ERROR","message":"sorry"}}';
    charges.answer(() => ({ status: 500, body }));
    await open();

    charges.answer(() => ({ status: 200 }));

    expect((await read()).status).toBe(200);
  });

  test('are answers that are longer than the gateway passes on', async () => {
    const body = `{"success":true,"data":["${'x'.repeat(4 * 1024 * 1024)}"]}`;
    charges.answer(() => ({ status: 200, body }));
    const long = await read();
    await open();

    charges.answer(() => ({ status: 200 }));

    expect([long.status, long.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(long.json.error?.message).toContain('ask for fewer at a time');
    expect((await read()).status).toBe(200);
  });

  test('are the failures of another class of callers', async () => {
    const live = await world.newKey(await world.approvedMerchant(), { environment: 'production' });
    const operator = await world.operator();
    charges.intercept((req) => req.socket.destroy());
    await open();
    charges.intercept(undefined);

    const turnedAway = await read();
    const answered = await Promise.all([
      call('/v1/charges', { headers: { 'x-api-key': live.key } }),
      call('/v1/admin/charges', { headers: operator }),
    ]);

    expect(turnedAway.status).toBe(503);
    expect(answered.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('are callers that hang up while they wait for the answer', async () => {
    for (let count = 0; count < 30; count += 1) {
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
      charges.intercept((req) => void req.on('data', () => arrive()));
      const caller = request(`${gateway.url}/v1/charges`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': 1_000 },
      });
      const over = new Promise((resolve) => caller.on('error', () => undefined).on('close', resolve));
      caller.write('x'.repeat(1_000));
      await arrived;
      caller.destroy();
      await over;
    }

    charges.intercept(undefined);

    expect((await read()).status).toBe(200);
  });

  test('are callers that hang up while it is looked up who they are, of whom the service sees nothing', async () => {
    const { port } = new URL(gateway.url);
    const bytesTo = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${headers['x-api-key']}\r\n\r\n`;

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
      // Each comes in behind them all, and is a few turns of the gateway, which it needs to notice who has gone.
      for (let turn = 0; turn < 10; turn += 1) await sendRaw(Number(port), ASK_FOR_HEALTH);
    });

    expect((await read()).status).toBe(200);
    expect((await call('/v1/statement', { headers })).status).toBe(200);
    expect([charges.requests.length, world.services.ledger.requests.length]).toEqual([1, 1]);
  });

  test('are callers that hang up in the middle of their request, of which the service sees nothing', async () => {
    await read();
    const before = charges.requests.length;
    const { port } = new URL(gateway.url);
    const head = `POST /v1/charges HTTP/1.1\r\nHost: x\r\nX-API-Key: ${headers['x-api-key']}\r\n`;
    const half = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"amount":';
    for (let count = 0; count < 30; count += 1) await sendAndHangUp(Number(port), head + half);

    expect((await read()).status).toBe(200);
    expect(charges.requests.length - before).toBe(1);
  });
});
