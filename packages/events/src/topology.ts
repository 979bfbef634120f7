import type { EventType } from './catalogue.ts';

/** The topic exchange on which every domain event is published, by its type as routing key. */
export const eventExchange = 'payments.events';

/**
 * Who listens to what. Every service declares all queues, not only its own, so that an event published before
 * its reader has ever run waits for it. An event type nobody listens to could not be routed and would stay in
 * its outbox for ever: each type has at least one reader.
 */
export const subscriptions = {
  charges: ['merchant.updated'],
  withdrawals: ['merchant.updated'],
  ledger: [
    'charge.paid',
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
    'charge.paid',
    'charge.expired',
    'charge.refunded',
    'charge.refund_failed',
    'dispute.opened',
    'dispute.resolved',
    'payment.unexpected',
    'withdrawal.completed',
    'withdrawal.failed',
    'withdrawal.rejected',
  ],
} as const satisfies Record<string, readonly EventType[]>;

export type Subscriber = keyof typeof subscriptions;

export const subscribers = Object.keys(subscriptions).filter((name): name is Subscriber =>
  Object.hasOwn(subscriptions, name),
);

export function queueOf(subscriber: Subscriber): string {
  return `${subscriber}.events`;
}

/** Where a message goes that its reader refused, or that was delivered too often. */
export function deadQueueOf(subscriber: Subscriber): string {
  return `${subscriber}.dead`;
}
