import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type CollectedSpan, eventually, type FakeCollector, startFakeCollector } from '@plataforma/testing';
import {
  createExchange,
  createOutbound,
  currentContext,
  every,
  runInContext,
  startTraces,
} from '../src/index.ts';
import { keptLog, silent } from './support/log.ts';
import { send, serving } from './support/web.ts';

const closing: (() => unknown)[] = [];
let collector: FakeCollector;

beforeEach(async () => {
  collector = await startFakeCollector();
  closing.push(collector.stop);
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
});

/** Exports what this process does; `flush` ends it and answers what came. */
async function exporting(settings: Record<string, string> = {}) {
  // The SDK reads its own settings there and nowhere else.
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings });
  const traces = await startTraces('traced', { LOG_LEVEL: 'silent', ...process.env });
  closing.push(traces.stop);
  return {
    async flush(): Promise<CollectedSpan[]> {
      await traces.stop();
      return collector.spans;
    },
  };
}

async function served(...args: Parameters<typeof serving>) {
  const server = await serving(...args);
  closing.push(server.stop);
  return server;
}

const caller = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const work = { requestId: 'order-1', traceparent: caller };

function refusal(): never {
  throw new Error('no answer');
}

describe('an exported request', () => {
  test('is a step between its caller’s and the one of whom it calls, named by its pattern', async () => {
    const { flush } = await exporting();
    const inner = await served((app) =>
      app.get('/inner/:id', (_req, res) => void res.json(currentContext())),
    );
    const ask = createExchange({ baseUrl: inner.url, timeoutMs: 5_000, isOurs: true, unanswered: refusal });
    const outer = await served((app) => {
      app.get('/outer/:id', async (_req, res) => {
        const { body } = await ask({ method: 'GET', path: '/inner/canary?token=canary', headers: {} });
        res.json({ inner: body, outer: currentContext() });
      });
    });

    const url = `${outer.url}/outer/canary?token=canary`;
    const { text } = await send(url, { headers: { traceparent: caller, tracestate: 'canary=1' } });
    await eventually(async () => expect(await flush()).toHaveLength(3));

    const [outside, call, inside] = ['GET /outer/:id', 'GET', 'GET /inner/:id'].map(spanNamed);
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
    const seen = JSON.parse(text);
    expect(seen.outer.traceparent).toBe(`00-${outside?.traceId}-${outside?.spanId}-01`);
    expect(seen.inner.traceparent).toBe(`00-${outside?.traceId}-${inside?.spanId}-01`);
    expect(seen.inner.requestId).toBe(seen.outer.requestId);
    expect(collector.bodies.join('')).not.toContain('canary');
  });

  test('of a stranger begins a trace, with a link to theirs', async () => {
    const { flush } = await exporting();
    const server = await served(() => undefined, { beginsTraces: true });

    await send(server.url, { headers: { traceparent: caller } });
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
    expect(collector.bodies.join('')).not.toContain('canary');
  });

  test('tells nobody outside of the platform of its trace', async () => {
    await exporting();
    const heard: unknown[] = [];
    const other = await served((app) => app.post('/', (req, res) => void res.json(heard.push(req.headers))));
    const ask = createExchange({ baseUrl: other.url, timeoutMs: 5_000, unanswered: refusal });
    const outbound = createOutbound({ allowInsecure: true });
    closing.push(outbound.close);

    await runInContext(work, async () => {
      await ask({ method: 'POST', path: '/', headers: {} });
      await outbound.request({ method: 'POST', url: other.url, timeoutMs: 5_000 });
    });

    expect(heard).toHaveLength(2);
    expect(JSON.stringify(heard)).not.toMatch(/traceparent|tracestate|x-request-id|0af7651916cd43dd/);
  });

  test.each([
    ['500', 'GET /fails', true],
    ['404', 'GET', false],
  ])('that is answered with %s has failed only if we have', async (status, name, hasFailed) => {
    const { flush } = await exporting();
    const server = await served((app) => {
      app.get('/fails', () => {
        throw new Error('canary: a secret');
      });
    });

    await send(`${server.url}/${status === '500' ? 'fails' : 'canary'}`, {});
    await eventually(async () => expect(await flush()).toHaveLength(1));

    expect(collector.spans).toMatchObject([
      { name, hasFailed, attributes: { 'http.response.status_code': Number(status) } },
    ]);
    expect(collector.bodies.join('')).not.toContain('canary');
  });

  test('about our health is none', async () => {
    const { flush } = await exporting();
    const server = await served(() => undefined);

    await send(`${server.url}/healthz`, {});
    await send(`${server.url}/readyz`, {});
    await send(`${server.url}/`, {});
    await eventually(async () => expect(await flush()).toHaveLength(1));

    expect(collector.spans).toMatchObject([{ attributes: { 'http.response.status_code': 404 } }]);
  });
});

describe('a call that brings no answer', () => {
  test('has failed, by its kind and not in its words', async () => {
    const { flush } = await exporting();
    const outbound = createOutbound({ allowInsecure: false });
    closing.push(outbound.close);

    const asked = runInContext(work, () =>
      outbound.request({ method: 'POST', url: 'https://127.0.0.1/canary', timeoutMs: 5_000 }),
    );
    const unheard = createExchange({ baseUrl: 'http://127.0.0.1:1', timeoutMs: 5_000, unanswered: refusal });
    await expect(asked).rejects.toThrow();
    await expect(unheard({ method: 'GET', path: '/', headers: {} })).rejects.toThrow('no answer');

    expect(await flush()).toMatchObject([
      { name: 'GET', kind: 'client', hasFailed: true, attributes: { 'error.type': 'ECONNREFUSED' } },
    ]);
  });
});

describe('whether a trace is exported', () => {
  const unsampled = caller.replace(/01$/, '00');

  test.each([
    ['is the caller’s to say', {}, [caller], 1],
    ['is the caller’s to say, also no', {}, [unsampled], 0],
    ['is ours without a caller', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, ['', caller], 1],
    ['is ours alone if so configured', { OTEL_TRACES_SAMPLER: 'always_on' }, [unsampled, ''], 2],
    [
      'may be a matter of its id',
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
      [caller],
      0,
    ],
  ])('%s', async (_what, settings, received, count) => {
    const { flush } = await exporting(settings);
    const server = await served((app) => app.get('/', (_req, res) => void res.json(currentContext())));

    const flags = await Promise.all(
      received.map(async (traceparent) => {
        const { text } = await send(server.url, { headers: traceparent ? { traceparent } : {} });
        return JSON.parse(text).traceparent.slice(-2);
      }),
    );

    await server.stop();
    expect(await flush()).toHaveLength(count);
    expect(flags.filter((flag) => flag === '01')).toHaveLength(count);
  });

  test.each([
    ['does not export what we leave out', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, caller, 0],
    ['does not hide what we export', {}, unsampled, 1],
  ])('is not a stranger’s to say: it %s', async (_what, settings, traceparent, count) => {
    const { flush } = await exporting(settings);
    const server = await served(() => undefined, { beginsTraces: true });

    await send(server.url, { headers: { traceparent } });
    await server.stop();

    expect(await flush()).toHaveLength(count);
  });
});

describe('the exporter', () => {
  test('says whose spans these are, and sends the headers it was given', async () => {
    const { flush } = await exporting({
      OTEL_SERVICE_NAME: 'charges-blue',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=maria',
    });
    const server = await served(() => undefined);

    await send(server.url, {});
    await server.stop();

    expect(await flush()).toMatchObject([
      {
        service: 'charges-blue',
        resource: { 'service.version': expect.any(String), 'deployment.environment.name': 'staging' },
      },
    ]);
    expect(collector.headers).toMatchObject([{ 'x-tenant': 'maria' }]);
  });

  test('says what is wrong with its settings, by name', async () => {
    const wrong = startTraces('traced', {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'canary',
      OTEL_TRACES_SAMPLER: 'canary',
      OTEL_TRACES_SAMPLER_ARG: '2',
    });

    await expect(wrong).rejects.toThrow(/ENDPOINT: .*\n.*SAMPLER: .*\n.*SAMPLER_ARG: /);
    await expect(wrong).rejects.not.toThrow('canary');
  });
});

describe('a scheduled job', () => {
  test('is a trace of its own, and its log lines name it', async () => {
    const { flush } = await exporting();
    const { log, lines } = keptLog();

    const job = every({ everyMs: 1, log, name: 'old keys', work: async () => log.info('forgotten') });
    await eventually(() => expect(lines.length).toBeGreaterThan(2));
    await job.stop();

    const spans = await flush();
    expect(spans).toHaveLength(lines.length);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(lines.length);
    expect(spans.map(({ traceId }) => traceId)).toEqual(lines.map((line) => JSON.parse(line).traceId));
    expect(spans[0]).toMatchObject({ name: 'job old keys', kind: 'internal', parentSpanId: '' });
  });

  test('that fails says so in its trace', async () => {
    const { flush } = await exporting();
    const { log, lines } = keptLog();

    const job = every({
      everyMs: 1,
      log,
      name: 'old keys',
      work: () => Promise.reject(new TypeError('canary')),
    });
    await eventually(() => expect(lines.length).toBeGreaterThan(0));
    await job.stop();

    const [span] = await flush();
    expect(span).toMatchObject({ hasFailed: true, attributes: { 'error.type': 'TypeError' } });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ traceId: span?.traceId, job: 'old keys' });
    expect(collector.bodies.join('')).not.toContain('canary');
  });

  test('that finds nothing to do leaves no trace', async () => {
    const { flush } = await exporting();
    let runs = 0;

    const job = every({ everyMs: 1, log: silent, name: 'idle', work: async () => (runs += 1) });
    await eventually(() => expect(runs).toBeGreaterThan(3));
    await job.stop();

    expect(await flush()).toEqual([]);
  });
});

function spanNamed(name: string): CollectedSpan | undefined {
  return collector.spans.find((span) => span.name === name);
}
