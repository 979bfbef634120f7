import { types } from 'node:util';
import { z } from 'zod';
import { readConfig } from './config.ts';
import { continueTrace, currentContext, type RequestContext } from './context.ts';
import { createLog } from './log.ts';

type Attributes = Record<string, string | number | boolean>;

/** One step of a trace, before it is known how it ends. */
export interface SpanStart {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** One of a few: never with an id, a path or anything that a caller chose. */
  name: string;
  /** The `traceparent` of what caused it; without a valid one a trace begins with it. */
  parent: string | null | undefined;
  /** The `traceparent`s of what it has to do with besides. */
  links?: readonly string[];
  /** In milliseconds of the epoch, when that is not now. */
  startedAt?: number;
  /** No ids of resources, no query, no header, no body: traces are read by people who may not see those. */
  attributes?: Attributes;
}

export interface SpanEnd {
  name?: string;
  attributes?: Attributes;
  /** What went wrong, by its kind and never in its own words. */
  failure?: string | undefined;
}

export interface Span {
  /** For whoever continues the trace: it names this step. */
  readonly traceparent: string;
  /** Never called, it is as if the step had not been. */
  end(end?: SpanEnd): void;
}

/** Where spans go, once traces are exported. */
export interface Recorder {
  begin(start: SpanStart): Span;
  /** Sends what waits, but not for long. */
  stop(): Promise<void>;
}

let recorder: Recorder | undefined;

/** Undefined when no traces leave this process; then `start` is not even asked. */
export function beginSpan(start: () => SpanStart): Span | undefined {
  return recorder?.begin(start());
}

const tracesSettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.string().default('info'),
});

export type TracesSettings = z.infer<typeof tracesSettings>;

/**
 * Exports the traces of this process from now on, if the environment names a collector. If not, nothing of
 * OpenTelemetry is loaded, and trace ids are still sent on, stored with events and written into the log.
 */
export async function startTraces(
  service: string,
  env: NodeJS.ProcessEnv,
): Promise<{ stop(): Promise<void> }> {
  const settings = readConfig(tracesSettings, env);
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return { stop: async () => undefined };
  const { createRecorder } = await import('./traces-otlp.ts');
  const log = createLog({ service, level: settings.LOG_LEVEL });
  const started = createRecorder(service, settings, log);
  recorder = started;
  return {
    async stop() {
      recorder = undefined;
      await started.stop();
    },
  };
}

interface Job extends RequestContext {
  end(end?: SpanEnd): void;
}

/**
 * A context for work that nobody asked for. Its trace begins when something is said or done in it, so that work which
 * finds nothing to do leaves none.
 */
export function beginJob(start: () => Omit<SpanStart, 'startedAt'>): Job {
  const startedAt = Date.now();
  let span: Span | undefined;
  let traceparent: string | undefined;
  return {
    get traceparent() {
      if (traceparent === undefined) {
        span = beginSpan(() => ({ ...start(), startedAt }));
        traceparent = span?.traceparent ?? continueTrace(undefined);
      }
      return traceparent;
    },
    end: (end) => span?.end(end),
  };
}

/** Of a request that no pattern fits. */
export const NO_ROUTE = '(none)';

interface Served {
  method: string;
  route: string;
  status: number;
  /** The caller went away before it had the answer. */
  isAborted: boolean;
}

/** How a request ended that we served: what the caller did wrong is no failure of ours. */
export function servedAs({ method, route, status, isAborted }: Served): SpanEnd {
  const isKnown = route !== NO_ROUTE;
  const failure = isAborted ? 'aborted' : status >= 500 ? String(status) : undefined;
  return {
    name: isKnown ? `${method} ${route}` : method,
    attributes: {
      'http.request.method': method,
      ...(isKnown ? { 'http.route': route } : {}),
      'http.response.status_code': status,
    },
    failure,
  };
}

interface Callee {
  method: string;
  /** What is known of it from our own configuration. */
  attributes?: Attributes;
}

/** A request of ours to another server, as a step of the trace at hand; `send` gets what one of our own is to hear. */
export async function asCall<Answer extends { status: number | undefined }>(
  { method, attributes }: Callee,
  send: (onward: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  const context = currentContext();
  const span = beginSpan(() => ({
    kind: 'client',
    name: method,
    parent: context?.traceparent,
    attributes: { ...attributes, 'http.request.method': method },
  }));
  const traceparent = span?.traceparent ?? context?.traceparent;
  try {
    const answer = await send(onwardHeaders(context?.requestId, traceparent));
    span?.end(answered(answer.status));
    return answer;
  } catch (error) {
    span?.end({ failure: kindOf(error) });
    throw error;
  }
}

function onwardHeaders(requestId?: string, traceparent?: string): Record<string, string> {
  return { ...(requestId ? { 'x-request-id': requestId } : {}), ...(traceparent ? { traceparent } : {}) };
}

function answered(status: number | undefined): SpanEnd {
  if (status === undefined) return {};
  const attributes = { 'http.response.status_code': status };
  return status >= 400 ? { attributes, failure: String(status) } : { attributes };
}

/** A word for it that is not made of anything anybody sent. */
export function kindOf(error: unknown): string {
  if (!types.isNativeError(error)) return 'unknown';
  if ('failure' in error && typeof error.failure === 'string') return error.failure;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
