import { types } from 'node:util';
import { readConfig } from '@plataforma/kernel';
import { continueTrace, currentContext, type RequestContext, readTraceparent } from './context.ts';
import { createLog } from './log.ts';
import type { Attributes, Recorder, Span, SpanEnd, SpanStart } from './span.ts';
import { tracesSettings } from './traces-settings.ts';

let recorder: Recorder | undefined;

/** Undefined when no traces leave this process; then `start` is not even asked. */
export function beginSpan(start: () => SpanStart): Span | undefined {
  return recorder?.begin(start());
}

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

interface Serving {
  span: Span | undefined;
  traceparent: string;
  /** The trace id that an outside caller sent, to find the request by. */
  callerTraceId: string | undefined;
}

/** A request that came with `sent`: a step of that trace, or of one that begins here and is only linked to it. */
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

/** The route of a request that no pattern fits. */
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
  /** Attributes from our own configuration. */
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
