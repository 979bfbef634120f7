import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const LONG = JSON.stringify({ success: true, data: 'a'.repeat(4_100_000) });

/** A caller that reads nothing: the system keeps up to 10 MB of the first answers, and the gateway all of the last. */
async function unread(key: string): Promise<Socket> {
  const socket = connect(Number(new URL(world.gateway.url).port), '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET /v1/events HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`.repeat(3));
  return socket;
}

test('long answers that a sandbox leaves unread take its share of memory, and no other account of its own', async () => {
  const [sandbox, shop] = [await world.approvedMerchant(), await world.approvedMerchant()];
  const { key } = await world.newKey(sandbox, { environment: 'sandbox' });
  const { key: live } = await world.newKey(shop, { environment: 'production' });
  const read = (apiKey: string) => world.call('/v1/events', { headers: { 'x-api-key': apiKey } });
  world.services.webhooks.answer(() => ({ status: 200, body: LONG }));

  const slow = [await unread(key), await unread(key)];
  await eventually(async () => {
    const { status, code } = await read(key);
    expect([status, code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });
  expect((await read(live)).status).toBe(200);

  for (const socket of slow) socket.destroy();
  await eventually(async () => expect((await read(key)).status).toBe(200));
});
