import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { createCapturedLog, openConnections, sendRaw, serving } from '@plataforma/testing/fixtures';

test('an address with too many connections is disconnected, logged each minute', async () => {
  const { log, lines } = createCapturedLog();
  const limit = { perCaller: 0, callerOf: (address: string) => address };
  const server = await serving(() => undefined, { log, connectionLimit: limit });
  const ask = () => sendRaw(server.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n').catch(() => '');

  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  await server.stop();

  expect(new Set(answers)).toEqual(new Set(['']));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { refused: 1, msg: 'connections are refused: an address has all the connections it may have' },
  ]);
  expect(lines.join()).not.toContain('127.0.0.1');
});

/** Opens connections from a local address, and sends the given bytes on each connection. */
async function openFrom(
  port: number,
  localAddress: string,
  { count, bytes }: { count: number; bytes: string },
) {
  const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }));
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.on('error', resolve).once('connect', resolve))),
  );
  for (const socket of sockets) socket.write(bytes);
  return {
    openCount: () => sockets.filter((socket) => !socket.destroyed).length,
    close: () => sockets.forEach((socket) => void socket.destroy()),
  };
}

const CLOSING = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

test.each([
  ['have had an answer', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
  [
    'have had an answer to a request with an expectation',
    'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: y\r\n\r\n',
  ],
  ['have sent nothing', ''],
])('connections that %s are closed when few remain', async (_what, bytes) => {
  const server = await serving(() => undefined, { maxConnections: 20 });

  const opened = await openFrom(server.port, '127.0.0.1', { count: 20, bytes });

  await eventually(async () => expect(await sendRaw(server.port, CLOSING)).toContain('HTTP/1.1 200'));
  opened.close();
  await server.stop();
});

test('a few busy addresses leave connections to others', async () => {
  const server = await serving((app) => app.get('/wait', () => undefined), {
    ...{ maxConnections: 100, connectionLimit: { perCaller: 10, callerOf: (address: string) => address } },
  });
  const bytes = 'GET /wait HTTP/1.1\r\nHost: x\r\n\r\n';
  const opened = [];

  for (let address = 2; address < 22; address += 1)
    opened.push(await openFrom(server.port, `127.0.0.${address}`, { count: 10, bytes }));

  expect(await sendRaw(server.port, CLOSING)).toContain('HTTP/1.1 200');
  for (const { close } of opened) close();
  await server.stop();
});

test('all networks of an IPv6 site together leave connections to others', async () => {
  const others = '127.0.0.99';
  const server = await serving((app) => app.get('/wait', () => undefined), {
    maxConnections: 90,
    connectionLimit: {
      perCaller: 30,
      callerOf: (address: string) => address,
      siteOf: (address: string) => (address === others ? null : '2001:db8:1::/48'),
    },
  });
  const bytes = 'GET /wait HTTP/1.1\r\nHost: x\r\n\r\n';
  const opened: Awaited<ReturnType<typeof openFrom>>[] = [];

  for (let address = 2; address < 92; address += 1)
    opened.push(
      await openFrom(server.port, `127.0.0.${address === 99 ? 100 : address}`, { count: 1, bytes }),
    );
  const ofOther = await openConnections(`http://127.0.0.1:${server.port}`, 1, others);

  await eventually(() => expect(opened.filter(({ openCount }) => openCount() === 1)).toHaveLength(30));
  expect(ofOther.map(({ isOpen }) => isOpen)).toEqual([true]);
  for (const { close } of opened) close();
  for (const { socket } of ofOther) socket.destroy();
  await server.stop();
});

test('connections of a trusted proxy stay open when few remain', async () => {
  const server = await serving(() => undefined, {
    ...{
      maxConnections: 20,
      connectionLimit: {
        perCaller: 20,
        callerOf: (address: string) => (address === '127.0.0.2' ? null : address),
      },
    },
  });
  const proxy = await openConnections(`http://127.0.0.1:${server.port}`, 1, '127.0.0.2');
  const opened = await openFrom(server.port, '127.0.0.1', { count: 19, bytes: '' });

  await eventually(async () => expect(await sendRaw(server.port, CLOSING)).toContain('HTTP/1.1 200'));

  expect(proxy.map(({ socket }) => socket.closed)).toEqual([false]);
  opened.close();
  for (const { socket } of proxy) socket.destroy();
  await server.stop();
});
