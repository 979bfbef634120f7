import { type DomainEvent, eventExchange, isSeveral } from '@plataforma/events';
import { beginJob, beginSpan, continueTrace, runInContext, type Span, traceIdOf } from '@plataforma/observe';
import { eventIn } from '@plataforma/tables';
import type { ConsumeMessage } from 'amqplib';

/** An event with the message that contains it. A message may contain several live updates. */
export interface Received {
  message: ConsumeMessage;
  event: DomainEvent;
}

export type Outcome = 'applied' | 'failed' | 'abandoned';

interface Outgoing {
  id: string;
  type: string;
  body: string;
}

export interface Publication {
  /** The headers with which the reader of the message continues the trace. */
  headers: Record<string, string>;
  end(isStored: boolean): void;
}

/** Begins a span for the publication of an event, in the trace that stored the event in the outbox. */
export function beginPublication({ id, type, body }: Outgoing): Publication {
  const span = beginSpan(() => ({
    kind: 'producer',
    name: `publish ${type}`,
    parent: eventIn(Buffer.from(body))?.traceparent,
    attributes: { ...aboutMessage(id, type), ...aboutQueue('publish', 'send', eventExchange) },
  }));
  return {
    // A message with several live updates has no trace header, because each live update has a trace of its
    // own.
    headers: span && !isSeveral(body) ? { traceparent: span.traceparent } : {},
    end: (isStored) => span?.end(isStored ? {} : { failure: 'not_stored' }),
  };
}

/**
 * Runs `work` on a batch, with a span in the trace of each event. The events passed to `work` carry the new
 * spans. If the events are of several traces, the batch gets a separate trace for its logs.
 */
export async function inTracesOf(
  queue: string,
  batch: readonly Received[],
  work: (batch: readonly Received[]) => Promise<Outcome>,
): Promise<Outcome> {
  const spans = batch.flatMap((one) => beginReceipt(one, queue) ?? []);
  const traced = spans.length === 0 ? batch : batch.map((one, index) => continuedBy(one, spans[index]));
  const about = contextOf(traced, { queue, isTraced: spans.length > 0 });
  const outcome = await runInContext(about, () => work(traced));
  const end = outcome === 'applied' ? {} : { failure: outcome };
  for (const span of spans) span.end(end);
  about.end();
  return outcome;
}

function beginReceipt(
  { message, event: { id, type, traceparent } }: Received,
  queue: string,
): Span | undefined {
  return beginSpan(() => {
    const sent: unknown = message.properties.headers?.traceparent;
    return {
      kind: 'consumer',
      name: `process ${type}`,
      // The parent is the span of the publication. If the publication was not traced, the parent is the span
      // that stored the event in the outbox.
      parent: typeof sent === 'string' ? sent : traceparent,
      attributes: { ...aboutMessage(id, type), ...aboutQueue('process', 'process', queue) },
    };
  });
}

function continuedBy({ message, event }: Received, span: Span | undefined): Received {
  return span ? { message, event: { ...event, traceparent: span.traceparent } } : { message, event };
}

function contextOf(batch: readonly Received[], { queue, isTraced }: { queue: string; isTraced: boolean }) {
  const links = batch.flatMap(({ event }) => event.traceparent ?? []);
  const [first] = links;
  const traces = new Set(links.map(traceIdOf));
  if (first === undefined || traces.size > 1 || links.length < batch.length)
    return beginJob(() => ({ kind: 'internal', name: `batch of ${queue}`, parent: undefined, links }));
  return { traceparent: isTraced ? first : continueTrace(first), end: () => undefined };
}

/** The names follow OpenTelemetry's semantic conventions for messaging. */
function aboutMessage(id: string, type: string) {
  return { 'messaging.message.id': id, 'messaging.rabbitmq.destination.routing_key': type };
}

function aboutQueue(name: string, type: string, destination: string) {
  return {
    'messaging.system': 'rabbitmq',
    'messaging.operation.name': name,
    'messaging.operation.type': type,
    'messaging.destination.name': destination,
  };
}
