import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { createCapturedLog, serving } from '@plataforma/testing/fixtures';
import { type HttpServer, readBody, readWhole } from '../src/index.ts';
import { limitBodyTime, STRANGERS_LIMIT_BYTES } from '../src/whole-body.ts';

const PER_CALLER = 64;
const LATE_MS = 1_000;
const endpoint = { access: { kind: 'public' } } as const;

const opened: Socket[] = [];
const servers: HttpServer[] = [];

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.stop();
});

/**
 * Starts a server that never answers. Its routes read the body with express, with `readWhole`, or not at all.
 */
async function startServer() {
  const { log, lines } = createCapturedLog();
  const answers: ServerResponse[] = [];
  const callerOf = (address: string) => (address === '127.0.0.9' ? null : address);
  const server = await serving(
    (app) => {
      app.use((_req, res, next) => {
        answers.push(res);
        next();
      });
      app.post('/express', readBody(STRANGERS_LIMIT_BYTES), () => undefined);
      app.post('/whole', async (req, res) => void (await readWhole(req, res, endpoint)));
      app.post('/unread', () => undefined);
    },
    { log, connectionLimit: { perCaller: 1_000, callerOf } },
  );
  servers.push(server);
  return { server, answers, messages: () => lines.map((line) => JSON.parse(line)) };
}

type Server = Awaited<ReturnType<typeof startServer>>;

/**
 * Opens connections with one request each. The default body has one byte, although its header announces two.
 */
async function post(
  { server, answers }: Server,
  count: number,
  { path = '/express', from = '127.0.0.1', body = '{' } = {},
): Promise<Socket[]> {
  const before = answers.length;
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`;
  const sockets = Array.from({ length: count }, () => {
    const options = { port: server.port, host: '127.0.0.1', localAddress: from };
    const socket = connect(options, () => socket.write(head + body));
    return socket.on('error', () => undefined).resume();
  });
  opened.push(...sockets);
  // On a slow machine the server may refuse the last requests while the first ones are late already.
  await eventually(() =>
    expect(answers.length - before + count - openOf(sockets)).toBeGreaterThanOrEqual(count),
  );
  return sockets;
}

const openOf = (sockets: Socket[]) => sockets.filter(({ closed }) => !closed).length;
const hangUp = (sockets: Socket[]) => sockets.forEach((socket) => void socket.destroy());

test.each(['/express', '/whole'])('many hang-ups on %s cost ten log lines and a count', async (path) => {
  const server = await startServer();
  const sockets = await post(server, 60, { path });

  hangUp(sockets);

  const { messages } = server;
  const counted = () => messages().reduce((sum, { aborted = 0 }) => sum + aborted, 0);
  await eventually(() => expect(counted()).toBe(50));
  const lines = messages().filter(({ msg }) => msg === 'request');
  expect(lines).toHaveLength(10);
  expect(lines).toEqual(lines.map((line) => expect.objectContaining({ ...line, isAborted: true })));
  expect(messages().filter(({ msg }) => msg === 'further requests aborted').length).toBeLessThanOrEqual(3);
  expect(messages().every(({ level }) => level === 'info')).toBe(true);
});

test('ten hang-ups have a log line each and no count', async () => {
  const server = await startServer();

  hangUp(await post(server, 10));

  await eventually(() => expect(server.messages()).toHaveLength(10));
  await sleep(LATE_MS);
  expect(server.messages().map(({ msg }) => msg)).toEqual(Array(10).fill('request'));
});

test.each(['/express', '/whole'])('no answer is written after a hang-up on %s', async (path) => {
  const server = await startServer();
  const sockets = await post(server, 5, { path });

  hangUp(sockets);

  await eventually(() => expect(server.answers.every((res) => res.closed)).toBe(true));
  await sleep(50);
  expect(server.answers.map((res) => res.headersSent)).toEqual(Array(5).fill(false));
});

test('an address has a limited number of late bodies', async () => {
  const server = await startServer();
  const other = await post(server, 1, { from: '127.0.0.2' });
  for (const [count, open] of [
    [PER_CALLER + 6, PER_CALLER],
    [PER_CALLER, PER_CALLER],
  ] as const) {
    const sockets = await post(server, count);
    await sleep(LATE_MS + 500);

    await eventually(() => expect(openOf(sockets)).toBe(open));
    hangUp(sockets);
    await eventually(() => expect(server.answers.filter((res) => !res.closed)).toHaveLength(1));
  }
  expect(openOf(other)).toBe(1);
  expect(server.messages()).toContainEqual(
    expect.objectContaining({
      refused: 1,
      msg: 'late bodies refused: the address has reached its limit',
    }),
  );
});

test.each([
  ['of a trusted proxy', { from: '127.0.0.9' }],
  ['that are whole and unread', { path: '/unread', body: '{}' }],
])('bodies %s need no slot', async (_which, how) => {
  const server = await startServer();

  const sockets = await post(server, PER_CALLER + 6, how);
  await sleep(LATE_MS + 500);

  expect(openOf(sockets)).toBe(PER_CALLER + 6);
});

test('the body timer ends with the response only for complete bodies', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const left = [true, false].map((complete) => {
    const req = Object.assign(new IncomingMessage(new Socket()), { complete });
    req.headers['content-length'] = '5';
    const res = new ServerResponse(req);
    limitBodyTime(req, res, 60_000);
    res.emit('close');
    const count = timers() - before;
    req.emit('close');
    return count;
  });

  expect([...left, timers() - before]).toEqual([0, 1, 0]);
});
