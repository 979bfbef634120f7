import { describe, expect, test } from '@jest/globals';
import { currentContext, runInContext } from '@plataforma/observe';
import { eventually } from '@plataforma/testing';
import { CALLER, send, tracing } from '@plataforma/testing/fixtures';
import { createJsonClient, createOutbound } from '../src/index.ts';

const world = tracing();
const work = { requestId: 'order-1', traceparent: CALLER };

function refusal(): never {
  throw new Error('no answer');
}

describe('an exported request', () => {
  test('is a step between its caller’s and its own calls', async () => {
    const { flush } = await world.exporting();
    const inner = await world.served((app) =>
      app.get('/inner/:id', (_req, res) => void res.json(currentContext())),
    );
    const ask = createJsonClient({ baseUrl: inner.url, timeoutMs: 5_000, isOurs: true, unanswered: refusal });
    const outer = await world.served((app) => {
      app.get('/outer/:id', async (_req, res) => {
        const { body } = await ask({ method: 'GET', path: '/inner/canary?token=canary', headers: {} });
        res.json({ inner: body, outer: currentContext() });
      });
    });

    const url = `${outer.url}/outer/canary?token=canary`;
    const { text } = await send(url, { headers: { traceparent: CALLER, tracestate: 'canary=1' } });
    await eventually(async () => expect(await flush()).toHaveLength(3));

    const [outside, call, inside] = ['GET /outer/:id', 'GET', 'GET /inner/:id'].map(world.spanNamed);
    expect(outside).toMatchObject({
      kind: 'server',
      parentSpanId: 'b7ad6b7169203331',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      hasFailed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/outer/:id',
        'http.response.status_code': 200,
      },
    });
    expect(call).toMatchObject({ kind: 'client', parentSpanId: outside?.spanId, traceId: outside?.traceId });
    expect(inside).toMatchObject({ kind: 'server', parentSpanId: call?.spanId, traceId: outside?.traceId });
    const received = JSON.parse(text);
    expect(received.outer.traceparent).toBe(`00-${outside?.traceId}-${outside?.spanId}-01`);
    expect(received.inner.traceparent).toBe(`00-${outside?.traceId}-${inside?.spanId}-01`);
    expect(received.inner.requestId).toBe(received.outer.requestId);
    expect(world.collector.bodies.join('')).not.toContain('canary');
  });

  test('from outside begins a trace with a link to the caller’s', async () => {
    const { flush } = await world.exporting();
    const server = await world.served(() => undefined, { beginsTraces: true });

    await send(server.url, { headers: { traceparent: CALLER } });
    await send(server.url, { headers: { traceparent: 'canary' } });
    await server.stop();

    const [linked, unlinked] = (await flush()).toSorted(
      (one, other) => other.links.length - one.links.length,
    );
    expect(linked).toMatchObject({
      traceId: expect.not.stringMatching('0af7651916cd43dd8448eb211c80319c'),
      parentSpanId: '',
      links: [{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }],
    });
    expect(unlinked).toMatchObject({ parentSpanId: '', links: [] });
    expect(linked?.traceId).not.toBe(unlinked?.traceId);
    expect(world.collector.bodies.join('')).not.toContain('canary');
  });

  test('sends no trace outside the platform', async () => {
    await world.exporting();
    const receivedHeaders: unknown[] = [];
    const other = await world.served((app) =>
      app.post('/', (req, res) => void res.json(receivedHeaders.push(req.headers))),
    );
    const ask = createJsonClient({ baseUrl: other.url, timeoutMs: 5_000, unanswered: refusal });
    const outbound = createOutbound({ allowInsecure: true });
    world.atTheEnd(outbound.close);

    await runInContext(work, async () => {
      await ask({ method: 'POST', path: '/', headers: {} });
      await outbound.request({ method: 'POST', url: other.url, timeoutMs: 5_000 });
    });

    expect(receivedHeaders).toHaveLength(2);
    expect(JSON.stringify(receivedHeaders)).not.toMatch(
      /traceparent|tracestate|x-request-id|0af7651916cd43dd/,
    );
  });

  test.each([
    ['500', 'GET /fails', true],
    ['404', 'GET', false],
  ])('with status %s counts as failed only for server errors', async (status, name, hasFailed) => {
    const { flush } = await world.exporting();
    const server = await world.served((app) => {
      app.get('/fails', () => {
        throw new Error('canary: a secret');
      });
    });

    await send(`${server.url}/${status === '500' ? 'fails' : 'canary'}`, {});
    await eventually(async () => expect(await flush()).toHaveLength(1));

    expect(world.collector.spans).toMatchObject([
      { name, hasFailed, attributes: { 'http.response.status_code': Number(status) } },
    ]);
    expect(world.collector.bodies.join('')).not.toContain('canary');
  });

  test('for health has no trace', async () => {
    const { flush } = await world.exporting();
    const server = await world.served(() => undefined);

    await send(`${server.url}/healthz`, {});
    await send(`${server.url}/readyz`, {});
    await send(`${server.url}/`, {});
    await eventually(async () => expect(await flush()).toHaveLength(1));

    expect(world.collector.spans).toMatchObject([{ attributes: { 'http.response.status_code': 404 } }]);
  });
});

describe('a call without an answer', () => {
  test('is recorded as failed with its kind, without its text', async () => {
    const { flush } = await world.exporting();
    const outbound = createOutbound({ allowInsecure: false });
    world.atTheEnd(outbound.close);

    const pendingRequest = runInContext(work, () =>
      outbound.request({ method: 'POST', url: 'https://127.0.0.1/canary', timeoutMs: 5_000 }),
    );
    const unanswered = createJsonClient({
      baseUrl: 'http://127.0.0.1:1',
      timeoutMs: 5_000,
      unanswered: refusal,
    });
    await expect(pendingRequest).rejects.toThrow();
    await expect(unanswered({ method: 'GET', path: '/', headers: {} })).rejects.toThrow('no answer');

    expect(await flush()).toMatchObject([
      { name: 'GET', kind: 'client', hasFailed: true, attributes: { 'error.type': 'ECONNREFUSED' } },
    ]);
  });
});
