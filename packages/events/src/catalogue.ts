import type { Environment } from '@plataforma/kernel';
import type { z } from 'zod';
import { chargeEvents } from './charge-events.ts';
import { disputeEvents } from './dispute-events.ts';
import { envelope } from './envelope.ts';
import { merchantEvents } from './merchant-events.ts';
import { unexpectedPaymentEvents } from './unexpected-payment-events.ts';
import { withdrawalEvents } from './withdrawal-events.ts';

const catalogue = {
  ...chargeEvents,
  ...disputeEvents,
  ...unexpectedPaymentEvents,
  ...withdrawalEvents,
  ...merchantEvents,
};

export type EventType = keyof typeof catalogue;
export type EventData<T extends EventType> = z.infer<(typeof catalogue)[T]>;

type AccountEventType = keyof typeof merchantEvents;

/** An event as it travels: one shape per type, told apart by `type`. */
export type DomainEvent = {
  [T in EventType]: Omit<z.infer<typeof envelope>, 'type' | 'environment' | 'data'> & {
    type: T;
    environment: T extends AccountEventType ? null : Environment;
    data: EventData<T>;
  };
}[EventType];

/** What an operation says happened; the outbox adds id, time and trace. */
export type Announcement = {
  [T in EventType]: Pick<
    Extract<DomainEvent, { type: T }>,
    'type' | 'merchantId' | 'environment' | 'aggregateId' | 'sequence' | 'data'
  >;
}[EventType];

/**
 * Reads one message body. Throws a ZodError or SyntaxError when it is no event of ours: such a message can never
 * be handled and belongs to the dead letters. Unknown fields are dropped, so a newer emitter may add some.
 */
export function readEvent(body: Buffer): DomainEvent {
  const outer = envelope.parse(JSON.parse(body.toString('utf8')));
  if (!isEventType(outer.type)) throw new SyntaxError(`no such event type: ${outer.type}`);
  const concernsAccount = Object.hasOwn(merchantEvents, outer.type);
  if (concernsAccount !== (outer.environment === null))
    throw new SyntaxError(`${outer.type}: wrong environment`);
  return assembled({ ...outer, type: outer.type, data: catalogue[outer.type].parse(outer.data) });
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(catalogue, type);
}

/** The one place that tells the compiler what the schemas above have just proved: `environment` and `data` fit `type`. */
function assembled(event: z.infer<typeof envelope> & { type: EventType }): DomainEvent {
  return event as DomainEvent;
}
