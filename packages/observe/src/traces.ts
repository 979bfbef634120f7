import { types } from 'node:util';
import { readConfig } from '@plataforma/kernel';
import { continueTrace, currentContext, type RequestContext, readTraceparent } from './context.ts';
import { createLog } from './log.ts';
import type { Attributes, Recorder, Span, SpanEnd, SpanStart } from './span.ts';
import { tracesSettings } from './traces-settings.ts';

let recorder: Recorder | undefined;

/** Begins a span. If this process exports no traces, returns undefined and does not call `start`. */
export function beginSpan(start: () => SpanStart): Span | undefined {
  return recorder?.begin(start());
}

/**
 * Exports this process's traces from now on, if the environment names a collector. Otherwise OpenTelemetry is
 * not loaded. Trace ids are forwarded, stored with events and logged in both cases.
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
 * Creates the context of a job without a request. The trace begins when `traceparent` is first read, so a job
 * that finds no work leaves no trace.
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
  /** The trace id that an outside caller sent. It is logged, so that the caller's request can be found. */
  callerTraceId: string | undefined;
}

/**
 * Begins the span of a received request. The span continues the caller's trace `sent` or, if `beginsTrace` is
 * true, begins a new trace with a link to `sent`.
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

export const NO_ROUTE = '(none)';

interface Served {
  method: string;
  route: string;
  status: number;
  /** True if the caller closed the connection before the response was complete. */
  isAborted: boolean;
}

/**
 * Returns the name, attributes and failure of a served request's span. A status of 4xx is the caller's
 * mistake and not a failure of the service.
 */
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
  /**
   * Additional attributes of the span. Their values come from the platform's configuration, not from callers.
   */
  attributes?: Attributes;
}

/**
 * Sends a request to another server as a step of the current trace. `send` receives the trace headers, which
 * it passes on only to services of the platform.
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

/**
 * Returns a short name of the error for traces and logs. The name contains no text from a caller or a
 * provider.
 */
export function kindOf(error: unknown): string {
  if (!types.isNativeError(error)) return 'unknown';
  if ('failure' in error && typeof error.failure === 'string') return error.failure;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
