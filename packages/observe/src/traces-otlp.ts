import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import manifest from '../package.json' with { type: 'json' };
import { readTraceparent, toTraceparent } from './context.ts';
import type { Log } from './log.ts';
import type { Recorder } from './span.ts';
import type { TracesSettings } from './traces-settings.ts';

/** The maximum number of spans that wait for export. With a slow collector, further spans are dropped. */
const MAX_WAITING = 4_096;
const BATCH_SIZE = 512;
const SEND_EVERY_MS = 1_000;
const EXPORT_TIMEOUT_MS = 10_000;
/**
 * The timeout of the last export, in milliseconds. It is short, because a process must stop within ten
 * seconds.
 */
const LAST_EXPORT_MS = 1_000;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/**
 * Creates a recorder that sends spans in batches to an OpenTelemetry collector over HTTP. The SDK reads the
 * collector's address, headers and timeout from the environment.
 */
export function createRecorder(service: string, settings: TracesSettings, log: Log): Recorder {
  const exporter = reporting(new OTLPTraceExporter(), log);
  const provider = new TracerProvider({
    resource: resourceOf(service),
    sampler: samplerOf(settings),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING,
        maxExportBatchSize: BATCH_SIZE,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('plataforma', manifest.version);
  return {
    begin({ kind, name, parent, links = [], startedAt, attributes = {} }) {
      const cause = remote(parent);
      const options = {
        kind: kinds[kind],
        attributes,
        links: links.flatMap((link) => remote(link) ?? []).map((context) => ({ context })),
        ...(startedAt === undefined ? {} : { startTime: startedAt }),
      };
      const context = cause ? trace.setSpanContext(ROOT_CONTEXT, cause) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, options, context);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: toTraceparent({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }),
        end({ name: lastName, attributes: lastAttributes, failure } = {}) {
          if (lastName !== undefined) span.updateName(lastName);
          if (lastAttributes) span.setAttributes(lastAttributes);
          if (failure !== undefined) {
            span.setAttribute('error.type', failure);
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
    async stop() {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(LAST_EXPORT_MS, undefined, { ref: false })]);
    },
  };
}

function remote(traceparent: string | null | undefined) {
  const read = readTraceparent(traceparent);
  if (!read) return undefined;
  const { traceId, spanId, isSampled } = read;
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

/**
 * Returns the attributes that describe this process. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override
 * the platform's values.
 */
function resourceOf(service: string) {
  const ours = resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'plataforma',
    'service.version': manifest.version,
  });
  return defaultResource()
    .merge(ours)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Creates the sampler that OTEL_TRACES_SAMPLER names, because the SDK does not read this variable itself. */
function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TracesSettings): Sampler {
  const isByParent = name.startsWith('parentbased_');
  const root = rootSampler(isByParent ? name.slice('parentbased_'.length) : name, ratio);
  return isByParent ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

/**
 * Wraps an exporter. Logs the first export that fails, and the first export that succeeds after a failure.
 */
function reporting(exporter: SpanExporter, log: Log): SpanExporter {
  let isLosing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        // Do not log the error's message, because a collector may put the received spans into its response.
        if (hasFailed && !isLosing)
          log.warn({ reason: result.error?.name }, 'traces lost: no collector accepts them');
        if (!hasFailed && isLosing) log.info('trace collector accepts traces again');
        isLosing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
