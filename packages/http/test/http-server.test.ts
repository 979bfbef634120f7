import { Agent, request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { currentContext } from '@plataforma/observe';
import { eventually } from '@plataforma/testing';
import { createCapturedLog, send, sendRaw, serving } from '@plataforma/testing/fixtures';
import type { HttpServer } from '../src/index.ts';

const servers: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function served(...args: Parameters<typeof serving>): Promise<HttpServer> {
  const server = await serving(...args);
  servers.push(server);
  return server;
}

const showContext: Parameters<typeof serving>[0] = (app) => {
  app.get('/context', (_req, res) => void res.json(currentContext()));
};

describe('an idle connection', () => {
  test.each([
    [undefined, 'timeout=75'],
    [620_000, 'timeout=620'],
  ])('with a timeout of %s ms is announced with %s', async (keepAliveMs, announced) => {
    const { url } = await served(showContext, keepAliveMs === undefined ? {} : { keepAliveMs });

    const { headers } = await fetch(`${url}/context`);

    expect(headers.get('keep-alive')).toBe(announced);
  });

  test('is closed after its timeout', async () => {
    const { port } = await served(showContext, { keepAliveMs: 100 });

    // `sendRaw` resolves when the server closes the connection.
    const answer = await sendRaw(port, 'GET /context HTTP/1.1\r\nHost: x\r\n\r\n');

    expect(answer).toContain('HTTP/1.1 200 OK');
  });
});

describe('a request', () => {
  test.each(['accept', 'accept-charset', 'accept-encoding', 'accept-language'])(
    'with an oversized %s is served as one without',
    async (name) => {
      const { url } = await served((app) => {
        app.get('/sent', (req, res) => void res.json({ length: req.headers[name]?.length ?? 0 }));
      });
      const lengthOf = async (count: number) =>
        (await send(`${url}/sent`, { headers: { [name]: 'a,'.repeat(count) } })).text;

      expect(JSON.parse(await lengthOf(500))).toEqual({ length: 1_000 });
      expect(JSON.parse(await lengthOf(501))).toEqual({ length: 0 });
    },
  );

  test.each([
    ['127.0.0.1:8080', 200],
    ['[::1]:8080', 200],
    ['[evil', 404],
    ['[evil]', 404],
    ['localhost', 200],
    ['Bank.test:9000', 200],
    ['evil.test', 404],
    ['evil-bank.test', 404],
    ['evil.localhost', 404],
    ['bank.test.evil.test', 404],
    ['127.0.0.1.evil.test', 404],
    ['127.0.0.1@evil.test', 404],
  ])('for the host %s gets %s from a server with a name', async (host, expected) => {
    const { url } = await served(showContext, { hostNames: ['bank.test'] });

    expect((await send(`${url}/context`, { headers: { host } })).status).toBe(expected);
  });

  test.each(['order-4711', 'a.b:c_d-9', 'x'.repeat(128)])('with the valid id %s uses that id', async (id) => {
    const { url } = await served(showContext);

    const { headers, text } = await send(`${url}/context`, { headers: { 'x-request-id': id } });

    expect(headers['x-request-id']).toBe(id);
    expect(JSON.parse(text).requestId).toBe(id);
  });

  test.each(['', 'with spaces', 'x'.repeat(129), '{"a":1}', 'söderzeichen'])(
    'gets a new id instead of %j',
    async (id) => {
      const { url } = await served(showContext);

      const { headers, text } = await send(`${url}/context`, { headers: { 'x-request-id': id } });

      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/);
      expect(JSON.parse(text).requestId).toBe(headers['x-request-id']);
    },
  );

  test('continues its caller’s trace as a separate step', async () => {
    const { url } = await served(showContext);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

    const { text } = await send(`${url}/context`, { headers: { traceparent } });

    expect(JSON.parse(text).traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
    expect(JSON.parse(text).traceparent).not.toBe(traceparent);
  });

  test('from outside begins a new trace and logs the caller’s', async () => {
    const { log, lines } = createCapturedLog();
    const { url } = await served(showContext, { log, beginsTraces: true });
    const unsampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

    const { text } = await send(`${url}/context`, { headers: { traceparent: unsampled } });
    await send(`${url}/context`, { headers: { traceparent: 'canary' } });

    await eventually(() => expect(lines).toHaveLength(2));
    const { traceparent } = JSON.parse(text);
    expect(traceparent).toMatch(/^00-(?!0af7651916cd43dd8448eb211c80319c)[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    const [named, unnamed] = lines.map((line) => JSON.parse(line));
    expect(named).toMatchObject({
      traceId: traceparent.slice(3, 35),
      callerTraceId: '0af7651916cd43dd8448eb211c80319c',
    });
    expect(unnamed).not.toHaveProperty('callerTraceId');
  });

  test.each([
    ['none', undefined],
    ['a malformed traceparent', '00-xyz-b7ad6b7169203331-01'],
    ['a traceparent in upper case', '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01'],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
    ['a parent id of zeros', `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`],
    ['a traceparent of an invalid version', '00ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ])('starts a trace when it came with %s', async (_what, traceparent) => {
    const { url } = await served(showContext);

    const { text } = await send(`${url}/context`, { headers: traceparent ? { traceparent } : {} });

    const started = JSON.parse(text).traceparent;
    expect(started).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(started).not.toContain('0af7651916cd43dd8448eb211c80319c');
    expect(started).not.toContain('0'.repeat(32));
  });

  test('is logged in one line with its route pattern, without query', async () => {
    const { log, lines } = createCapturedLog();
    const { url } = await served((app) => app.get('/callbacks/:secret', (_req, res) => void res.json({})), {
      log,
    });

    const { headers } = await send(`${url}/callbacks/canary?token=canary`, {});

    const [line] = await eventually(() => {
      expect(lines).toHaveLength(1);
      return lines;
    });
    expect(JSON.parse(line ?? '')).toMatchObject({
      msg: 'request',
      method: 'GET',
      route: '/callbacks/:secret',
      status: 200,
      isAborted: false,
      requestId: headers['x-request-id'],
    });
    expect(line).not.toContain('canary');
  });

  test('for health is not logged', async () => {
    const { log, lines } = createCapturedLog();
    const { url } = await served(showContext, { log });

    const health = await send(`${url}/healthz`, {});
    await send(`${url}/readyz`, {});
    await send(`${url}/context`, {});

    expect([health.status, JSON.parse(health.text)]).toEqual([
      200,
      { success: true, data: { status: 'ok' } },
    ]);
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toContain('/context');
  });
});

describe('readiness', () => {
  test('is 200 while all needed dependencies are available', async () => {
    const { url } = await served(showContext, {
      needs: { database: async () => 1 },
      uses: { broker: () => true },
    });

    const { status, text } = await send(`${url}/readyz`, {});

    expect([status, JSON.parse(text)]).toEqual([
      200,
      { success: true, data: { database: 'ok', broker: 'ok', accepting: 'ok' } },
    ]);
  });

  test.each<[string, () => Promise<unknown> | boolean]>([
    ['refuses', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['is not connected', () => false],
    ['does not answer', () => new Promise(() => undefined)],
  ])('is 503 with the name of a dependency that %s', async (_what, database) => {
    const { url } = await served(showContext, { needs: { database }, uses: { broker: () => true } });

    const { status, text } = await send(`${url}/readyz`, {});

    expect([status, JSON.parse(text)]).toEqual([
      503,
      { success: false, data: { database: 'down', broker: 'ok', accepting: 'ok' } },
    ]);
  });
});

describe('a stop', () => {
  test('finishes running requests, accepts no new ones and ignores idle connections', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const server = await serving((app) => {
      app.get('/slow', async (_req, res) => {
        reach();
        await released;
        res.json({ done: true });
      });
    });
    const agent = new Agent({ keepAlive: true });
    const running = new Promise<number | undefined>((resolve, reject) => {
      request(`${server.url}/slow`, { agent }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      })
        .on('error', reject)
        .end();
    });
    await reached;

    let isStopped = false;
    const stoppedAt = performance.now();
    const stopping = server.stop().then(() => {
      isStopped = true;
    });

    await expect(send(`${server.url}/slow`, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(isStopped).toBe(false);
    release();
    expect(await running).toBe(200);
    await stopping;
    // Eight seconds after the beginning of the drain, the server cuts every connection, even a busy one.
    expect(performance.now() - stoppedAt).toBeLessThan(8_000);
    agent.destroy();
  });
});
