import type { EventType } from './catalogue.ts';
import { anchorTypes } from './chain-events.ts';

/** The topic exchange of all domain events. The routing key is the event type. */
export const eventExchange = 'payments.events';

/** The topic exchange for refused messages. The routing key is the name of the dead-letter queue. */
export const deadExchange = 'payments.dead';

/**
 * The event types that each service gets, in addition to the chain anchors of all other services. The setup
 * creates every queue, so that events wait for services that start later. Each type needs a subscriber,
 * because an unroutable event would stay in its outbox for ever.
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

export type Subscriber = keyof typeof subscriptions;

export const subscribers = Object.keys(subscriptions).filter(isSubscriber);

export function isSubscriber(name: string): name is Subscriber {
  return Object.hasOwn(subscriptions, name);
}

/** Returns the event types that a subscriber's queue receives. */
export function typesFor(subscriber: Subscriber): readonly EventType[] {
  const others = anchorTypes.filter((type) => type !== `chain.anchored.${subscriber}`);
  return [...subscriptions[subscriber], ...others];
}

export function queueOf(subscriber: Subscriber): string {
  return `${subscriber}.events`;
}

/** Returns the queue for messages that the reader refused or that were delivered too often. */
export function deadQueueOf(subscriber: Subscriber): string {
  return `${subscriber}.dead`;
}

export interface Queue {
  name: string;
  arguments: Readonly<Record<string, string | number>>;
  /** The exchange and routing keys whose messages the queue receives. */
  bindings: { exchange: string; routingKeys: readonly string[] };
}

/**
 * The number of redeliveries after which a message becomes a dead letter. The limit stops a message that
 * crashes its reader each time. A message that the reader refuses becomes a dead letter at once.
 */
const DELIVERY_LIMIT = 20;

/**
 * Returns the two queues of a subscriber: the dead-letter queue first, so that it exists before a message can
 * be refused.
 */
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
        // RabbitMQ 3.10 has no default delivery limit.
        'x-delivery-limit': DELIVERY_LIMIT,
        'x-dead-letter-exchange': deadExchange,
        'x-dead-letter-routing-key': dead,
        // RabbitMQ removes a message from this queue only after the dead-letter queue has confirmed the
        // message. This guarantee needs `at-least-once` together with `reject-publish`.
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
      },
      bindings: { exchange: eventExchange, routingKeys: typesFor(subscriber) },
    },
  ];
}
