import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const LONG = JSON.stringify({ success: true, data: 'a'.repeat(4_100_000) });

/**
 * Opens a connection that sends three requests and reads no response. The operating system buffers up to 10
 * MB. The three responses have 12 MB, so the gateway must hold the last one.
 */
async function unread(key: string): Promise<Socket> {
  const socket = connect(Number(new URL(world.gateway.url).port), '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET /v1/events HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`.repeat(3));
  return socket;
}

test('unread long answers of a sandbox use up its own memory only', async () => {
  const [sandbox, shop] = [await world.approvedMerchant(), await world.approvedMerchant()];
  const { key } = await world.newKey(sandbox, { environment: 'sandbox' });
  const { key: live } = await world.newKey(shop, { environment: 'production' });
  const read = (apiKey: string) => world.call('/v1/events', { headers: { 'x-api-key': apiKey } });
  world.services.webhooks.answer(() => ({ status: 200, body: LONG }));

  const slow = [await unread(key), await unread(key)];
  await eventually(async () => {
    expect(await read(key)).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  });
  expect((await read(live)).status).toBe(200);

  for (const socket of slow) socket.destroy();
  await eventually(async () => expect((await read(key)).status).toBe(200));
});

const FROM = '127.0.0.3';

/** Sends a request from a local address, and does not read the body of the response. */
function ask(path: string, localAddress: string, agent = new Agent({ keepAlive: true })) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    get(`${world.gateway.url}${path}`, { localAddress, agent }, resolve).on('error', reject);
  });
}

async function statusFrom(path: string, localAddress: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const answer = await ask(path, localAddress, agent);
  await once(answer.resume(), 'end');
  agent.destroy();
  return answer.statusCode ?? 0;
}

test.each(['/openapi.json', '/collection.json'])(
  '%s uses slots of its network while callers leave it unread',
  async (path) => {
    const { headers } = await fetch(world.gateway.url + path, { method: 'HEAD' });
    const slots = Math.ceil(Number(headers.get('content-length')) / 65_536);
    // A network gets its nth slot only if 8n slots then stay free, so it can use a ninth of the 3,072 slots.
    const fit = Math.floor(3_072 / 9 / slots);

    const unread: IncomingMessage[] = [];
    for (let count = 0; count < fit; count += 1) unread.push(await ask(path, FROM));

    expect(unread.map(({ statusCode }) => statusCode)).toEqual(Array(fit).fill(200));
    expect(await statusFrom(path, FROM)).toBe(503);
    expect(await statusFrom(path, '127.0.0.4')).toBe(200);
    for (const answer of unread) answer.destroy();
    await eventually(async () => expect(await statusFrom(path, FROM)).toBe(200));
  },
);

test('unread documents use slots although their connection closes', async () => {
  const unread: IncomingMessage[] = [];
  for (let count = 0; count < 40; count += 1)
    unread.push(await ask('/openapi.json', '127.0.0.6', new Agent()));

  expect(unread.at(-1)?.statusCode).toBe(503);
  for (const answer of unread) answer.destroy();
});

test('a caller that reads on one connection gets every document', async () => {
  for (let round = 0; round < 30; round += 1) {
    const answer = await fetch(`${world.gateway.url}/openapi.json`);
    await answer.bytes();
    expect(answer.status).toBe(200);
  }
});

test('a file counts as one request more for every 32 KiB', async () => {
  const answer = await ask('/openapi.json', '127.0.0.5');
  const bytes = Buffer.concat(await answer.toArray());

  const { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining } = answer.headers;
  expect(Number(limit) - Number(remaining)).toBe(1 + Math.floor(bytes.length / 32_768));
});
