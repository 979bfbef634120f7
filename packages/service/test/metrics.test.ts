import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '@plataforma/data';
import { defineMetrics, type ReadGauges } from '@plataforma/observe';
import { createTestDatabase, eventually, type MetricsScraper, openMetricsScraper } from '@plataforma/testing';
import { closingAfterEach, send, serving, silent } from '@plataforma/testing/fixtures';
import { startMetrics } from '../src/index.ts';

const atTheEnd = closingAfterEach();
const metrics = defineMetrics({
  plataforma_test_open: { kind: 'gauge', help: 'What is open.', labels: ['to'] },
  plataforma_test_waiting: { kind: 'gauge', help: 'What waits.', labels: [] },
  plataforma_test_events_total: { kind: 'counter', help: 'What came.', labels: ['type', 'outcome'] },
  plataforma_test_series_total: { kind: 'counter', help: 'What is known beforehand.', labels: ['kind'] },
});
let url: string;

beforeAll(async () => {
  url = (await createTestDatabase()).url;
});

function open(): Database {
  const database = openDatabase({ url, poolSize: 2, log: silent });
  atTheEnd(() => database.close());
  return database;
}

async function serveMetrics({
  database = open(),
  gauges = [] as ReadGauges[],
} = {}): Promise<MetricsScraper> {
  const scraper = await openMetricsScraper();
  const config = { HOST: '127.0.0.1', METRICS_PORT: scraper.port };
  const served = await startMetrics({
    service: 'ledger',
    config,
    log: silent,
    pools: { database, reads: database },
    gauges,
  });
  atTheEnd(() => served.stop());
  return scraper;
}

const REQUESTS = 'plataforma_http_request_duration_seconds_count';

/**
 * Waits until the metrics show the count. The caller may have its answer before the server counts the
 * request.
 */
function countedIn(scraper: MetricsScraper, requests: number) {
  return eventually(async () => {
    const shown = await scraper.scrape();
    expect(shown.valueOf(REQUESTS)).toBe(requests);
    return shown;
  });
}

test('a request is counted by its route pattern, without path values', async () => {
  const scraper = await serveMetrics();
  const server = await serving((app) => {
    app.get('/v1/things/:id', (req, res) => void res.json({ id: req.params.id }));
  });
  atTheEnd(() => server.stop());

  await send(`${server.url}/v1/things/0b5c-hidden`, {});
  await send(`${server.url}/v1/things/another-hidden`, {});
  await send(`${server.url}/nothing/here-hidden`, {});
  await send(`${server.url}/healthz`, {});

  const shown = await countedIn(scraper, 3);
  expect(shown.valueOf(REQUESTS, { method: 'GET', route: '/v1/things/:id', status: '200' })).toBe(2);
  expect(shown.valueOf(REQUESTS, { method: 'GET', route: '(none)', status: '404' })).toBe(1);
  expect(shown.text).not.toContain('hidden');
});

test('a caller that hangs up is counted as aborted', async () => {
  const scraper = await serveMetrics();
  const arrived = Promise.withResolvers<void>();
  const server = await serving((app) => {
    app.get('/v1/slow', async (_req, res) => {
      arrived.resolve();
      await new Promise((resolve) => res.once('close', resolve));
    });
  });
  atTheEnd(() => server.stop());
  const caller = new AbortController();

  const pending = fetch(`${server.url}/v1/slow`, { signal: caller.signal }).catch(() => undefined);
  await arrived.promise;
  caller.abort();
  await pending;

  const shown = await countedIn(scraper, 4);
  expect(shown.valueOf(REQUESTS, { route: '/v1/slow', status: 'aborted' })).toBe(1);
  expect(shown.valueOf(REQUESTS, { route: '/v1/slow' })).toBe(1);
});

test('each of thirty concurrent hang-ups is counted', async () => {
  const scraper = await serveMetrics();
  let begun = 0;
  const server = await serving((app) => {
    app.get('/v1/hung-up', () => {
      begun += 1;
    });
  });
  atTheEnd(() => server.stop());
  const before = (await scraper.scrape()).valueOf(REQUESTS, { status: 'aborted' }) ?? 0;
  const caller = new AbortController();

  const { signal } = caller;
  const pending = Array.from({ length: 30 }, () =>
    fetch(`${server.url}/v1/hung-up`, { signal }).catch(() => undefined),
  );
  await eventually(() => expect(begun).toBe(30));
  caller.abort();
  await Promise.all(pending);

  await eventually(async () =>
    expect((await scraper.scrape()).valueOf(REQUESTS, { status: 'aborted' })).toBe(before + 30),
  );
});

test('metrics include the service’s name, its connections and Node.js values', async () => {
  const database = open();
  const scraper = await serveMetrics({ database });

  const shown = await database.transaction(async (tx) => {
    await tx.query('SELECT 1');
    return scraper.scrape();
  });

  const connections = 'plataforma_database_connections';
  expect(shown.samples.filter(({ labels }) => labels.service !== 'ledger')).toEqual([]);
  expect(shown.valueOf(connections, { state: 'busy' })).toBe(1);
  expect(shown.valueOf(connections, { state: 'waiting' })).toBe(0);
  expect(shown.valueOf('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  expect(shown.valueOf('process_resident_memory_bytes')).toBeGreaterThan(0);
});

test('the metrics listener serves nothing else', async () => {
  const { port } = await serveMetrics();
  const at = `http://127.0.0.1:${port}`;

  const answers = await Promise.all([
    send(`${at}/metrics`, {}),
    send(`${at}/metrics?name=any`, {}),
    send(`${at}/metrics`, { method: 'HEAD' }),
    send(`${at}/metrics`, { method: 'POST' }),
    send(`${at}/metrics`, { method: 'DELETE' }),
    send(`${at}/`, {}),
    send(`${at}//`, {}),
    send(`${at}/healthz`, {}),
    send(`${at}/metrics/x`, {}),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 405, 405, 404, 404, 404, 404]);
  expect(answers[0]?.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(answers[2]?.text).toBe('');
});

test('a gauge that fails is omitted, and others remain', async () => {
  const fails: ReadGauges = () => Promise.reject(new Error('away'));
  const throws: ReadGauges = () => {
    throw new Error('away');
  };
  const works: ReadGauges = () => [metrics.gauge('plataforma_test_open', { to: 'charges' }, 1)];
  const scraper = await serveMetrics({ gauges: [fails, throws, works] });

  const shown = await scraper.scrape();

  expect(shown.valueOf('plataforma_test_open', { to: 'charges' })).toBe(1);
  expect(shown.valueOf('plataforma_database_connections', { state: 'idle' })).toBe(0);
});

test('a hanging gauge is read once and delays responses briefly', async () => {
  let reads = 0;
  const hangs: ReadGauges = () => {
    reads += 1;
    return new Promise(() => undefined);
  };
  const works: ReadGauges = () => [metrics.gauge('plataforma_test_open', { to: 'charges' }, 1)];
  const scraper = await serveMetrics({ gauges: [hangs, works] });

  const shown = await Promise.all(Array.from({ length: 20 }, scraper.scrape));
  await scraper.scrape();

  expect(shown.map((each) => each.valueOf('plataforma_test_open'))).toEqual(Array(20).fill(1));
  expect(reads).toBe(1);
});

test('a gauge without a current value is not exported', async () => {
  let isThere = true;
  const gauge: ReadGauges = () => (isThere ? [metrics.gauge('plataforma_test_waiting', {}, 7)] : []);
  const scraper = await serveMetrics({ gauges: [gauge] });

  const before = await scraper.scrape();
  isThere = false;
  const after = await scraper.scrape();

  expect(before.valueOf('plataforma_test_waiting')).toBe(7);
  expect(after.text).not.toContain('plataforma_test_waiting');
});

test('a counter has one value in a process across servers', async () => {
  const count = metrics.recorder('plataforma_test_events_total');
  const first = await serveMetrics();
  count({ type: 'charge.paid', outcome: 'applied' }, 2);

  const second = await serveMetrics();
  count({ type: 'charge.paid', outcome: 'applied' }, 3);

  const labels = { type: 'charge.paid', outcome: 'applied' };
  expect((await first.scrape()).valueOf('plataforma_test_events_total', labels)).toBe(5);
  expect((await second.scrape()).valueOf('plataforma_test_events_total', labels)).toBe(5);
});

test('predefined series begin at 0 and include earlier counts', async () => {
  const series = ['charge_paid', 'refund'].map((kind) => ({ kind }));
  const count = metrics.recorder('plataforma_test_series_total', series);
  count({ kind: 'refund' }, 2);

  const scraper = await serveMetrics();
  count({ kind: 'refund' }, 1);

  const shown = await scraper.scrape();
  const values = series.map((labels) => shown.valueOf('plataforma_test_series_total', labels));
  expect(values).toEqual([0, 3]);
});

test('the metrics listener answers to its own host names only', async () => {
  const { port } = await openMetricsScraper();
  const config = { HOST: '127.0.0.1', METRICS_PORT: port, HOST_NAMES: ['metrics.test'] };
  atTheEnd((await startMetrics({ service: 'ledger', config, log: silent })).stop);
  const statusAt = async (host: string) =>
    (await send(`http://127.0.0.1:${port}/metrics`, { headers: { host } })).status;

  expect([await statusAt('metrics.test'), await statusAt('evil.test')]).toEqual([200, 404]);
});

test('without a port, no metrics are served or loaded', async () => {
  const script = `
    import { createRequire } from 'node:module';
    import { defineMetrics } from '@plataforma/observe';
    import { startMetrics } from './src/index.ts';
    const metrics = await startMetrics({ service: 'ledger', config: { HOST: '127.0.0.1' } });
    const definition = { kind: 'counter', help: '', labels: [] };
    defineMetrics({ plataforma_test_total: definition }).recorder('plataforma_test_total')({}, 1);
    await metrics.stop();
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(loaded.filter((path) => path.includes('prom-client')).length);`;

  const { stdout } = await promisify(execFile)('node', ['--input-type=module', '-e', script], {
    cwd: new URL('..', import.meta.url),
  });

  expect(stdout).toBe('0\n');
});
