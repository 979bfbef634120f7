import { Agent, type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { closingAfterEach, send, serving } from '@plataforma/testing/fixtures';
import type { Router } from '../src/index.ts';

/** The drain lasts long enough to send a few requests on a busy machine. */
const DRAIN_MS = 5_000;
const atTheEnd = closingAfterEach();

/** Starts a server with a quick endpoint and a slow endpoint, which answers after `release` is called. */
async function draining() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let reached = 0;
  const server = await serving(
    (app: Router) => {
      app.get('/quick', (_req, res) => void res.json({}));
      app.get('/slow', async (_req, res) => {
        reached += 1;
        await released;
        res.json({});
      });
      app.get('/long', async (_req, res) => {
        res.write('one half');
        reached += 1;
        await released;
        res.end(', the other');
      });
    },
    { drainMs: DRAIN_MS },
  );
  return { server, release, reached: () => reached };
}

/** Creates a caller that sends all its requests on one connection. */
function keepingCaller(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  atTheEnd(() => agent.destroy());
  const get = (path: string) =>
    new Promise<{ answer: IncomingMessage; port: number | undefined }>((resolve, reject) => {
      const call = request(url + path, { agent }, (answer) => {
        const port = answer.socket.localPort;
        answer.resume().on('end', () => resolve({ answer, port }));
      });
      call.on('error', reject).end();
    });
  return { get };
}

describe('a server that stops', () => {
  test('is not ready, and answers all requests while it drains', async () => {
    const { server } = await draining();
    const caller = keepingCaller(server.url);
    const before = await caller.get('/quick');

    const stopping = server.stop();
    const ready = await send(`${server.url}/readyz`, {});
    const health = await send(`${server.url}/healthz`, {});
    const onKept = await caller.get('/quick');
    const onAnother = await caller.get('/quick');

    expect([ready.status, JSON.parse(ready.text).data]).toEqual([503, { accepting: 'down' }]);
    expect([ready.headers.connection, health.status]).toEqual(['close', 200]);
    expect(before.answer.headers.connection).toBe('keep-alive');
    expect([onKept.answer.statusCode, onKept.answer.headers.connection]).toEqual([200, 'close']);
    expect([onAnother.answer.statusCode, onAnother.answer.headers.connection]).toEqual([200, 'close']);
    expect(onKept.port).toBe(before.port);
    expect(onAnother.port).not.toBe(before.port);
    await stopping;
    await expect(send(`${server.url}/quick`, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('closes the connection after a running request', async () => {
    const { server, release, reached } = await draining();
    const running = keepingCaller(server.url).get('/slow');
    await eventually(() => expect(reached()).toBe(1));

    const stopping = server.stop();
    release();

    const { answer } = await running;
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
    await stopping;
  });

  test('finishes a started answer after it has drained', async () => {
    const { server, release, reached } = await draining();
    const running = send(`${server.url}/long`, {});
    await eventually(() => expect(reached()).toBe(1));

    const stopping = server.stop();
    await eventually(() => expect(send(`${server.url}/quick`, {})).rejects.toThrow('ECONNREFUSED'));
    release();

    expect((await running).text).toBe('one half, the other');
    await stopping;
  });
});
