import { type Environment, environments } from '@plataforma/kernel';
import { z } from 'zod';
import { chainEvents } from './chain-events.ts';
import { chargeEvents } from './charge-events.ts';
import { checkoutEvents } from './checkout-events.ts';
import { disputeEvents } from './dispute-events.ts';
import { isLiveUpdate } from './live-updates.ts';
import { merchantEvents } from './merchant-events.ts';
import { pageUpdates } from './page-updates.ts';
import { unexpectedPaymentEvents } from './unexpected-payment-events.ts';
import { withdrawalEvents } from './withdrawal-events.ts';

/**
 * The fields that every domain event has beside its `data`. `sequence` increases with each event of an
 * aggregate, so that a consumer detects an outdated event. `environment` is null when the event concerns a
 * whole merchant or the platform. The id in `merchantId` is then the merchant's or the platform's.
 */
const envelope = z.object({
  id: z.uuid().lowercase(),
  type: z.string(),
  version: z.int().positive(),
  occurredAt: z.iso.datetime(),
  merchantId: z.uuid(),
  environment: z.enum(environments).nullable(),
  aggregateId: z.uuid(),
  sequence: z.int().nonnegative(),
  traceparent: z.string().nullable(),
  data: z.unknown(),
});

/**
 * Emitted by the gateway when a merchant's session ends. The aggregate is the session. The gateway publishes
 * only a page update about it.
 */
const sessionEvents = { 'session.ended': z.object({}) };

/**
 * Emitted by the ledger for a wallet, payment method and day (São Paulo). The day has ended, and all
 * receivables due on it have settled. Emitted again with the new sum when more money of the day settles
 * later. In a sandbox, the sandbox's clock decides.
 */
const receivableEvents = {
  'receivable.settled': z.object({
    id: z.uuid(),
    date: z.iso.date(),
    timeZone: z.literal('America/Sao_Paulo'),
    paymentMethod: z.enum(['PIX', 'CARD', 'BOLETO']),
    count: z.int().positive(),
    amount: z.int().positive(),
  }),
};

/**
 * Emitted by the gateway once for each active API key that expires within seven days. In a sandbox, the
 * sandbox's clock decides. The event contains only the masked key.
 */
const apiKeyEvents = {
  'api_key.expiring': z.object({
    id: z.uuid(),
    name: z.string(),
    maskedKey: z.string(),
    scopes: z.array(z.string()),
    expiresAt: z.iso.datetime(),
  }),
};

const catalogue = {
  ...chargeEvents,
  ...checkoutEvents,
  ...disputeEvents,
  ...unexpectedPaymentEvents,
  ...withdrawalEvents,
  ...receivableEvents,
  ...apiKeyEvents,
  ...merchantEvents,
  ...sessionEvents,
  ...chainEvents,
  ...pageUpdates,
};

/** Events that belong to no environment. */
const everywhere = { ...merchantEvents, ...sessionEvents, ...chainEvents, ...pageUpdates };

const several = z.array(z.unknown());

export type EventType = keyof typeof catalogue;
export type EventData<T extends EventType> = z.infer<(typeof catalogue)[T]>;

type EverywhereType = keyof typeof everywhere;

export type DomainEvent = {
  [T in EventType]: Omit<z.infer<typeof envelope>, 'type' | 'environment' | 'data'> & {
    type: T;
    environment: T extends EverywhereType ? null : Environment;
    data: EventData<T>;
  };
}[EventType];

/** An event as a service gives it to the outbox, which adds id, time and trace. */
export type Announcement = {
  [T in EventType]: Pick<
    Extract<DomainEvent, { type: T }>,
    'type' | 'merchantId' | 'environment' | 'aggregateId' | 'sequence' | 'data'
  >;
}[EventType];

/**
 * Reads one message body. Throws ZodError or SyntaxError for a body that is not a domain event; such a
 * message becomes a dead letter. Drops unknown fields, so that a newer producer may add fields.
 */
export function readEvent(body: Buffer): DomainEvent {
  return eventOf(JSON.parse(body.toString('utf8')));
}

function eventOf(parsed: unknown): DomainEvent {
  const outer = envelope.parse(parsed);
  if (!isEventType(outer.type)) throw new SyntaxError(`no such event type: ${outer.type}`);
  const isEverywhere = Object.hasOwn(everywhere, outer.type);
  if (isEverywhere !== (outer.environment === null))
    throw new SyntaxError(`${outer.type}: wrong environment`);
  return assembled({ ...outer, type: outer.type, data: catalogue[outer.type].parse(outer.data) });
}

/**
 * Reads a message with one event, or with a JSON array of several live updates of one type. Throws ZodError
 * or SyntaxError for any other body.
 */
export function readEvents(body: Buffer): [DomainEvent, ...DomainEvent[]] {
  const text = body.toString('utf8');
  const parsed: unknown = JSON.parse(text);
  if (!isSeveral(text)) return [eventOf(parsed)];
  const [first, ...others] = several.parse(parsed).map(eventOf);
  if (!first || !isLiveUpdate(first.type) || others.some(({ type }) => type !== first.type))
    throw new SyntaxError('not live updates of one type');
  return [first, ...others];
}

export function isSeveral(text: string): boolean {
  return text.startsWith('[');
}

/**
 * Joins live updates of one type into a body for `readEvents`. A single live update has the body of an
 * ordinary event.
 */
export function textOfLiveUpdates([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `[${[first, ...others].join()}]`;
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(catalogue, type);
}

/** The cast is safe, because the schemas above prove that `environment` and `data` fit `type`. */
function assembled(event: z.infer<typeof envelope> & { type: EventType }): DomainEvent {
  return event as DomainEvent;
}
