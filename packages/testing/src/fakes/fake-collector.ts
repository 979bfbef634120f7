import { z } from 'zod';
import { type Loopback, startLoopback } from './loopback.ts';

/** A span that a service exported as OTLP/JSON, with the attributes of its resource. */
export interface CollectedSpan {
  service: string;
  resource: Record<string, string | number>;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  traceId: string;
  spanId: string;
  /** The id of the parent span; empty for the first span of a trace. */
  parentSpanId: string;
  attributes: Record<string, string | number>;
  links: { traceId: string; spanId: string }[];
  hasFailed: boolean;
}

export interface FakeCollector extends Loopback {
  spans: CollectedSpan[];
  bodies: string[];
  headers: NodeJS.Dict<string | string[]>[];
  /** From now on the collector does not answer any request. */
  hang(): void;
}

const attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z.object({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() }).loose(),
    }),
  )
  .transform((list) =>
    Object.fromEntries(
      list.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? String(value)]),
    ),
  );

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

const FAILED = 2;

const span = z.object({
  name: z.string(),
  kind: z.int().transform((kind) => kinds[kind] ?? 'internal'),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().default(''),
  attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.int().default(0) }),
});

const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** Starts a collector of traces. It supports the part of OTLP that the services use: JSON over HTTP. */
export async function startFakeCollector(): Promise<FakeCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  let isHanging = false;
  const server = await startLoopback(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    headers.push(request.headers);
    if (isHanging) return;
    const body = Buffer.concat(chunks).toString('utf8');
    if (request.url === '/v1/traces') spans.push(...spansIn(body));
    bodies.push(body);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    ...server,
    spans,
    bodies,
    headers,
    hang() {
      isHanging = true;
    },
  };
}

function spansIn(body: string): CollectedSpan[] {
  return exported.parse(JSON.parse(body)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ status, ...more }) => ({
        ...more,
        hasFailed: status.code === FAILED,
        resource: resource.attributes,
        service: String(resource.attributes['service.name']),
      })),
    ),
  );
}
