import type { EventType } from './catalogue.ts';
import { anchorTypes } from './chain-events.ts';

/** The topic exchange on which every domain event is published, by its type as routing key. */
export const eventExchange = 'payments.events';

/** The topic exchange through which a refused message comes to its dead-letter queue, whose name is the routing key. */
export const deadExchange = 'payments.dead';

/**
 * The event types of each subscriber, beside the anchors of all other services. Set-up makes all queues, so
 * that an event published before its reader has ever run waits for it. An event type without a subscriber
 * could not be routed and would stay in its outbox for ever: each type has at least one.
 */
export const subscriptions = {
  gateway: [],
  charges: ['merchant.updated'],
  withdrawals: ['merchant.updated'],
  ledger: [
    'merchant.clock_moved',
    'charge.paid',
    'charge.refunded',
    'refund.refused',
    'dispute.opened',
    'dispute.resolved',
    'unexpected_payment.received',
    'unexpected_payment.returned',
    'withdrawal.completed',
    'withdrawal.failed',
    'withdrawal.rejected',
    'withdrawal.abandoned',
  ],
  webhooks: [
    'charge.created',
    'charge.cancelled',
    'charge.paid',
    'charge.expired',
    'charge.refunded',
    'charge.refund_failed',
    'checkout.completed',
    'checkout.expired',
    'refund.created',
    'dispute.opened',
    'dispute.updated',
    'dispute.resolved',
    'payment.unexpected',
    'withdrawal.created',
    'withdrawal.approved',
    'withdrawal.processing',
    'withdrawal.completed',
    'withdrawal.failed',
    'withdrawal.rejected',
    'receivable.settled',
    'api_key.expiring',
  ],
} as const satisfies Record<string, readonly EventType[]>;

/** Each replica of web follows these types, by a queue of its own that goes with it. */
export const typesForPages = [
  ...subscriptions.webhooks,
  'session.ended',
] as const satisfies readonly EventType[];

export type Subscriber = keyof typeof subscriptions;

export const subscribers = Object.keys(subscriptions).filter(isSubscriber);

export function isSubscriber(name: string): name is Subscriber {
  return Object.hasOwn(subscriptions, name);
}

/** All that a subscriber's queue is bound for. */
export function typesFor(subscriber: Subscriber): readonly EventType[] {
  const others = anchorTypes.filter((type) => type !== `chain.anchored.${subscriber}`);
  return [...subscriptions[subscriber], ...others];
}

export function queueOf(subscriber: Subscriber): string {
  return `${subscriber}.events`;
}

/** Where a message goes that its reader refused, or that was delivered too often. */
export function deadQueueOf(subscriber: Subscriber): string {
  return `${subscriber}.dead`;
}

/** A durable queue, as it is declared. */
export interface Queue {
  name: string;
  arguments: Readonly<Record<string, string | number>>;
  /** The queue gets a copy of these messages. */
  bindings: { exchange: string; routingKeys: readonly string[] };
}

/**
 * How often a message may come back because its reader died before it is set aside. Refused messages are set aside at
 * once; this only bounds a message that ends processes.
 */
const DELIVERY_LIMIT = 20;

/** The dead-letter queue first: a message has where to go before it can be refused. */
export function queuesOf(subscriber: Subscriber): readonly Queue[] {
  const dead = deadQueueOf(subscriber);
  return [
    {
      name: dead,
      arguments: { 'x-queue-type': 'quorum' },
      bindings: { exchange: deadExchange, routingKeys: [dead] },
    },
    {
      name: queueOf(subscriber),
      arguments: {
        'x-queue-type': 'quorum',
        // RabbitMQ 3.10 has no limit of its own.
        'x-delivery-limit': DELIVERY_LIMIT,
        'x-dead-letter-exchange': deadExchange,
        'x-dead-letter-routing-key': dead,
        // Only with both of these does a message leave its queue after the dead-letter queue has confirmed it.
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
      },
      bindings: { exchange: eventExchange, routingKeys: typesFor(subscriber) },
    },
  ];
}
