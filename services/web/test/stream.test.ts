import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { serving } from '@plataforma/testing/fixtures';
import { worldOfFile } from '@plataforma/testing/world';
import { serveStream } from '../src/http/stream.ts';
import { createHub } from '../src/live/hub.ts';
import { productionTuning } from '../src/tuning.ts';
import { charge, ID } from './support/charge.ts';
import { openStream, write } from './support/connections.ts';
import { OURS, startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({}, { heartbeatMs: 20 }));

beforeAll(async () => {
  world.gateway.giving(`GET /v1/charges/${ID}/checkout`, charge);
  world.gateway.giving('GET /v1/account', { id: ID });
});

const open = (path: string, headers: Record<string, string> = {}) => openStream(world.url + path, headers);

test('a stream opens at once and sends heartbeats', async () => {
  const stream = await open(`/pay/${ID}/stream`);

  expect(stream.status).toBe(200);
  await eventually(() => expect(stream.text()).toMatch(/^retry: 2000\n\n(:\n\n){2}/));
  stream.close();
});

test('a checkout has four streams at most, freed when closed', async () => {
  const streams = await Promise.all(Array.from({ length: 4 }, () => open(`/pay/${ID}/stream`)));

  expect((await open(`/pay/${ID}/stream`)).status).toBe(429);
  streams[0]?.close();
  await eventually(async () => {
    const next = await open(`/pay/${ID}/stream`);
    next.close();
    expect(next.status).toBe(200);
  });
  for (const { close } of streams) close();
});

test('a session has eight streams at most', async () => {
  const cookie = await world.logIn();
  const path = '/api/stream?environment=sandbox';
  const streams = await Promise.all(Array.from({ length: 8 }, () => open(path, { cookie })));

  expect(streams.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect((await open(path, { cookie })).status).toBe(429);
  for (const { close } of streams) close();
});

test('a log-out ends only the streams of its session', async () => {
  const [cookie, other] = [await world.logIn(), await world.logIn()];
  const path = '/api/stream?environment=sandbox';
  const [own, stays] = [await open(path, { cookie }), await open(path, { cookie: other })];
  const logout = world.gateway.answerOf('POST /v1/auth/logout');
  world.gateway.giving('POST /v1/auth/logout', { message: 'ended' });

  await world.call('/api/session', { method: 'DELETE', headers: OURS, cookie });

  await own.reading;
  const receivedLength = stays.text().length;
  await eventually(() => expect(stays.text().length).toBeGreaterThan(receivedLength));
  stays.close();
  world.gateway.answering('POST /v1/auth/logout', logout);
});

test('a stream requires a session or an existing charge', async () => {
  expect((await open('/api/stream?environment=sandbox')).status).toBe(401);
  expect((await open('/api/stream', { cookie: await world.logIn() })).status).toBe(400);
  const other = crypto.randomUUID();
  world.gateway.refusing(`GET /v1/charges/${other}/checkout`, 404, 'NOT_FOUND');
  expect((await open(`/pay/${other}/stream`)).status).toBe(404);
});

test('web is ready without a broker', async () => {
  expect((await world.call('/readyz')).status).toBe(200);
});

/**
 * Starts a server that streams one topic, without the other parts of `web`. All callers have the same
 * address.
 */
async function hubOf(address: string) {
  const hub = createHub();
  const dependencies = { live: hub, tuning: productionTuning, addressOf: () => address };
  const findTopic = async () => ({ topic: 'a sandbox' });
  const server = await serving((app) => {
    app.get('/', (req, res) =>
      serveStream(dependencies, { req, res }, { kind: 'session', holder: 'a', findTopic }),
    );
  });
  return { hub, server, streams: () => hub.read()[0]?.value };
}

test('a browser that stops reading loses its stream', async () => {
  const { hub, server, streams } = await hubOf('192.0.2.1');
  const socket = write(server.url, 'GET /').pause();
  await eventually(() => expect(streams()).toBe(1));

  // The test sends many bytes, because the first bytes only fill the kernel's buffers.
  await eventually(() => {
    hub.publish('a sandbox', 'x'.repeat(1_000_000));
    expect(streams()).toBe(0);
  });

  socket.destroy();
  await server.stop();
});

test.each([
  ['192.0.2.1', '192.0.2.1', '192.0.2.2'],
  ['2001:db8::1', '2001:db8:0:9::2', '2001:db8:1::1'],
])('the network of %s has at most 500 own streams', async (one, same, other) => {
  const { hub, server } = await hubOf(same);
  const take = (address: string, holder: string) => hub.takeSlot('session', { holder, address });
  const releases = Array.from({ length: 500 }, (_, number) => take(one, `charge ${number}`));

  expect((await fetch(server.url)).status).toBe(429);
  expect(take(other, 'charge')).toBeDefined();
  releases[0]?.();
  const stream = await openStream(server.url);
  expect(stream.status).toBe(200);
  stream.close();

  await server.stop();
});

test('twenty networks leave streams to others', () => {
  const hub = createHub();
  const take = (network: number, holder: string) =>
    hub.takeSlot('checkout', { holder, address: `192.0.2.${network}` });

  for (let network = 1; network <= 20; network += 1)
    for (let stream = 0; stream < 500; stream += 1) take(network, `charge ${network} ${stream}`);

  expect(take(21, 'charge')).toBeDefined();
});

test('a thousand equal updates of a topic cost a few messages', async () => {
  const { hub, server, streams } = await hubOf('192.0.2.1');
  const stream = await openStream(server.url);
  await eventually(() => expect(streams()).toBe(1));

  for (let update = 0; update < 1_000; update += 1) hub.publish('a sandbox', 'charge');
  hub.publish('a sandbox', 'withdrawal');

  await eventually(() => expect(stream.text()).toContain('data: withdrawal\n\n'));
  expect(stream.text().match(/data: \w+/g)).toEqual(['data: charge', 'data: charge', 'data: withdrawal']);
  stream.close();
  await server.stop();
});

test('an event is sent to its subscribers until they leave', () => {
  const hub = createHub();
  const received: string[] = [];
  const listen = (topic: string) => {
    const send = (text: string) => void received.push(`${topic}: ${text}`);
    return hub.subscribe(topic, send, () => undefined);
  };
  const leave = listen('a sandbox');
  listen('a production');

  hub.publish('a sandbox', 'one');
  hub.publish('b sandbox', 'two');
  leave();
  hub.publish('a sandbox', 'three');

  expect(received).toEqual(['a sandbox: one']);
});
