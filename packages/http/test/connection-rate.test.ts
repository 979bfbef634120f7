import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { connectingNetwork } from '@plataforma/kernel/addresses';
import { eventually } from '@plataforma/testing';
import { createCapturedLog, openConnections, serving } from '@plataforma/testing/fixtures';
import { createBuckets, limitConnectionRate } from '../src/connection-rate.ts';

const limit = { perCaller: 1_000, atOnce: 20, callerOf: (address: string) => address };

/** Returns true when the server answers on a new connection from the address. Then closes that connection. */
async function isAnswered(url: string, address: string): Promise<boolean> {
  const [connection] = await openConnections(url, 1, address);
  connection?.socket.destroy();
  return connection?.isOpen ?? false;
}

const refused = (url: string, address: string) =>
  eventually(async () => expect(await isAnswered(url, address)).toBe(false));

test('an address that reconnects rapidly is refused, and others are answered', async () => {
  const { log, lines } = createCapturedLog();
  const server = await serving(() => undefined, { log, connectionLimit: limit });

  await refused(server.url, '127.0.0.2');

  expect(await isAnswered(server.url, '127.0.0.3')).toBe(true);
  expect(lines.map((line) => JSON.parse(line).msg)).toContain(
    'connections are refused: an address opens more connections than it may',
  );
  expect(lines.join()).not.toContain('127.0.0.2');
  await server.stop();
});

test('a trusted proxy opens as many connections as it needs', async () => {
  const callerOf = (address: string) => (address === '127.0.0.2' ? null : address);
  const server = await serving(() => undefined, { connectionLimit: { ...limit, callerOf } });

  const connections = await openConnections(server.url, 100, '127.0.0.2');

  expect(connections.filter(({ isOpen }) => isOpen)).toHaveLength(100);
  for (const { socket } of connections) socket.destroy();
  await server.stop();
});

test('a refused connection has no socket', async () => {
  const server = await serving(() => undefined, { connectionLimit: limit });
  const made: Socket[] = [];
  const count = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === server.port) made.push(socket);
  };
  subscribe('net.server.socket', count);

  const connections = await openConnections(server.url, 100, '127.0.0.2');

  unsubscribe('net.server.socket', count);
  const stillOpen = connections.filter(({ isOpen }) => isOpen).length;
  expect(stillOpen).toBeLessThan(100);
  expect(made).toHaveLength(stillOpen);
  for (const { socket } of connections) socket.destroy();
  await server.stop();
});

test('the event loop accepts a refused connection before it closes it', async () => {
  const events: string[] = [];
  const server = createServer();
  limitConnectionRate(
    server,
    { ...limit, atOnce: 1 },
    { onAccepted: () => void events.push('accepted'), onRefused: () => void events.push('refused') },
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  for (const _ of [1, 2]) await once(connect(port, '127.0.0.1').resume(), 'connect');

  await eventually(() => expect(events).toEqual(['accepted', 'accepted', 'refused']));
  server.close();
  server.closeAllConnections();
});

test('a connection that was reset before acceptance has no parser', () => {
  const server = createServer();
  limitConnectionRate(server, limit, { onAccepted: () => undefined, onRefused: () => undefined });
  const reset = new Socket();

  server.emit('connection', reset);

  expect(reset.destroyed).toBe(true);
  expect(reset).not.toHaveProperty('parser');
});

const taken = (buckets: ReturnType<typeof createBuckets>, now: number, caller = 'a') => {
  let count = 0;
  while (count < 10_000 && buckets.take(caller, now)) count += 1;
  return count;
};

test('a bucket allows 1,500 connections and reopens at half', () => {
  const buckets = createBuckets(1_500);

  expect(taken(buckets, 1_000)).toBe(1_500);
  expect(taken(buckets, 8_400)).toBe(0);
  expect(taken(buckets, 8_500)).toBe(750);
  expect(taken(buckets, 1_000, 'b')).toBe(1_500);
});

test('an address that opens a hundred connections a second is never refused', () => {
  const buckets = createBuckets(1_500);

  const answers = Array.from({ length: 10_000 }, (_, index) => buckets.take('a', index * 10));

  expect(answers).not.toContain(false);
});

test('full buckets are deleted', () => {
  const buckets = createBuckets(1_500);
  taken(buckets, 0, 'attacker');

  for (let address = 0; address < 100_000; address += 1) buckets.take(`caller ${address}`, address);

  expect(buckets.size()).toBeLessThan(1_100);
});

test('addresses of an IPv6 /64 have one bucket', () => {
  const network = (address: string) => connectingNetwork(address, () => false) ?? '';
  const buckets = createBuckets(2);

  const answers = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'].map((address) =>
    buckets.take(network(address), 0),
  );

  expect(answers).toEqual([true, true, false, true]);
});
