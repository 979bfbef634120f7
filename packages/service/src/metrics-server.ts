import { createServer, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type Reads, readConnections } from '@plataforma/data';
import { type HostNames, isOwnHost, listen, setAnswerHeaders } from '@plataforma/http';
import { type GaugeSample, type Log, type Metric, openSinks, type ReadGauges } from '@plataforma/observe';
import type { Gauge, Registry } from 'prom-client';

interface MetricsOptions {
  /** The value of the label `service` of all metrics. */
  service: string;
  /** The settings of the listener. Without METRICS_PORT, the process opens no port and measures nothing. */
  config: { HOST: string; METRICS_PORT?: number | undefined; HOST_NAMES?: HostNames };
  log: Log;
  /** The pools of database connections. Undefined for a service without a database. */
  pools?: { database: Pick<Database, 'connections'>; reads: Pick<Reads, 'connections'> };
  gauges?: readonly ReadGauges[];
}

type PromClient = typeof import('prom-client');

/**
 * The timeout for reading one gauge. It is shorter than the ten seconds of a scrape, so that the other gauges
 * are read even if one gauge hangs.
 */
const READ_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 10_000;

/** Serves only GET /metrics, on a separate port that is not public. */
export async function startMetrics({
  service,
  config,
  log,
  pools,
  gauges = [],
}: MetricsOptions): Promise<{ stop(): Promise<void> }> {
  if (config.METRICS_PORT === undefined) return { stop: async () => undefined };
  // The library is loaded only here, because it takes time and memory, and also loads the interface of
  // OpenTelemetry.
  const { default: prom } = await import('prom-client');
  const registry = registryOf(prom, service);
  // The connections are read first. Otherwise the connections that the other gauges use would count as busy.
  const connections = pools
    ? [() => [...readConnections(pools.database, 'work'), ...readConnections(pools.reads, 'reads')]]
    : [];
  const readers = [...connections, ...gauges].map((read) => bounded(read, log));
  const show = shared(async () => {
    const samples = (await Promise.all(readers.map((read) => read()))).flat();
    return `${await registry.metrics()}\n${await gaugesOf(prom, service, samples).metrics()}`;
  });

  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS },
    answer(show, { contentType: registry.contentType, hostNames: config.HOST_NAMES }),
  );
  server.on('clientError', (_error, socket) => socket.destroy());
  const { port } = await listen(server, config.HOST, config.METRICS_PORT);
  log.info({ port }, 'metrics are served');
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the metrics of this process and of Node.js, with the label `service`. */
function registryOf(prom: PromClient, service: string): Registry {
  if (!prom.register.getSingleMetric('process_cpu_seconds_total')) prom.collectDefaultMetrics();
  openSinks((metric) => sinkOf(prom, metric));
  const registry = new prom.Registry();
  registry.setDefaultLabels({ service });
  for (const { name } of prom.register.getMetricsAsArray()) {
    const metric = prom.register.getSingleMetric(name);
    if (metric) registry.registerMetric(metric);
  }
  return registry;
}

function sinkOf(prom: PromClient, { name, kind, help, labels, buckets }: Metric) {
  if (kind === 'counter') {
    const counter = new prom.Counter({ name, help, labelNames: [...labels] });
    return (values: Readonly<Record<string, string>>, times: number) => counter.inc(values, times);
  }
  const histogram = new prom.Histogram({
    name,
    help,
    labelNames: [...labels],
    ...(buckets ? { buckets: [...buckets] } : {}),
  });
  return (values: Readonly<Record<string, string>>, value: number) => histogram.observe(values, value);
}

/** Creates new gauges for each scrape, so that a gauge that was not read is missing, not outdated. */
function gaugesOf(prom: PromClient, service: string, samples: readonly GaugeSample[]): Registry {
  const registry = new prom.Registry();
  registry.setDefaultLabels({ service });
  const gauges = new Map<string, Gauge>();
  for (const { metric, labels, value } of samples) {
    const { name, help, labels: labelNames } = metric;
    const gauge =
      gauges.get(name) ?? new prom.Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
    gauges.set(name, gauge);
    gauge.set(labels, value);
  }
  return registry;
}

/**
 * Limits a read to `READ_TIMEOUT_MS`. A slower read continues, and the next scrape waits for it instead of
 * starting another read.
 */
function bounded(read: ReadGauges, log: Log): () => Promise<readonly GaugeSample[]> {
  const reading = shared(async () => {
    try {
      return await read();
    } catch (error) {
      log.warn({ err: error }, 'metrics not read');
      return [];
    }
  });
  return () => Promise.race([reading(), sleep(READ_TIMEOUT_MS, [], { ref: false })]);
}

/**
 * Returns a function that runs `work`. Callers that call the function during a run get the result of that
 * run.
 */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

function answer(
  show: () => Promise<string>,
  { contentType, hostNames }: { contentType: string; hostNames: HostNames },
): RequestListener {
  return (req, res) => {
    setAnswerHeaders(res);
    if (req.url?.split('?')[0] !== '/metrics' || !isOwnHost(req, hostNames)) {
      res.writeHead(404).end();
    } else if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { Allow: 'GET, HEAD' }).end();
    } else {
      show().then(
        (text) => res.writeHead(200, { 'Content-Type': contentType }).end(text),
        () => res.writeHead(500).end(),
      );
    }
  };
}
