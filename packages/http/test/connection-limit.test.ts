import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { holdConnections, keptLog, sendRaw, serving } from '@plataforma/testing/parts';

test('who has too many connections is hung up on, and told of in one line a minute', async () => {
  const { log, lines } = keptLog();
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

test('connections without a request are closed when nearly all are taken', async () => {
  const server = await serving(() => undefined, { maxConnections: 20 });
  const ask = () => sendRaw(server.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

  const idle = await holdConnections(`http://127.0.0.1:${server.port}`, 20);

  await eventually(async () => expect(await ask()).toContain('HTTP/1.1 200'));
  for (const { socket } of idle) socket.destroy();
  await server.stop();
});
