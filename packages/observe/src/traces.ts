import { types } from 'node:util';
import { readConfig } from '@plataforma/kernel';
import { continueTrace, currentContext, type RequestContext, readTraceparent } from './context.ts';
import { createLog } from './log.ts';
import type { Attributes, Recorder, Span, SpanEnd, SpanStart } from './span.ts';
import { tracesSettings } from './traces-settings.ts';

let recorder: Recorder | undefined;

/** Begins a span. Returns undefined, without calling `start`, when this process exports no traces. */
export function beginSpan(start: () => SpanStart): Span | undefined {
  return recorder?.begin(start());
}

/**
 * Exports the traces of this process from now on, if the environment names a collector. Without one,
 * OpenTelemetry is not loaded, and trace ids are still forwarded, stored with events and logged.
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
 * Creates a context for work without a request. The trace begins at the first read of `traceparent`, so that
 * work with nothing to do leaves no trace.
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

interface Serving {
  span: Span | undefined;
  traceparent: string;
  /** The trace id of an outside caller, for finding its request. */
  callerTraceId: string | undefined;
}

/**
 * Begins the span of a received request. It continues the trace `sent`, or begins a trace that is only linked
 * to it.
 */
export function beginServing(method: string, sent: string | undefined, beginsTrace: boolean): Serving {
  const parent = beginsTrace ? undefined : sent;
  const links = beginsTrace && sent !== undefined ? [sent] : [];
  const span = beginSpan(() => ({ kind: 'server', name: method, parent, links }));
  return {
    span,
    traceparent: span?.traceparent ?? continueTrace(parent),
    callerTraceId: beginsTrace ? readTraceparent(sent)?.traceId : undefined,
  };
}

/** The route of a request that matches no pattern. */
export const NO_ROUTE = '(none)';

interface Served {
  method: string;
  route: string;
  status: number;
  /** The caller disconnected before the response. */
  isAborted: boolean;
}

/** Returns the end of a served request's span. A caller's mistake (4xx) is not a failure of the service. */
export function servedAs({ method, route, status, isAborted }: Served): SpanEnd {
  const hasRoute = route !== NO_ROUTE;
  const failure = isAborted ? 'aborted' : status >= 500 ? String(status) : undefined;
  return {
    name: hasRoute ? `${method} ${route}` : method,
    attributes: {
      'http.request.method': method,
      ...(hasRoute ? { 'http.route': route } : {}),
      'http.response.status_code': status,
    },
    failure,
  };
}

interface Callee {
  method: string;
  /** Attributes from the platform's own configuration. */
  attributes?: Attributes;
}

/**
 * Sends a request to another server as a step of the current trace. `send` gets headers for a service of the
 * platform.
 */
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

/** Returns a short kind of the error that contains no text of a caller or provider. */
export function kindOf(error: unknown): string {
  if (!types.isNativeError(error)) return 'unknown';
  if ('failure' in error && typeof error.failure === 'string') return error.failure;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
