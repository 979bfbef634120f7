import type { EventType } from './catalogue.ts';
import type { AnchorType } from './chain-events.ts';
import { type Subscriber, subscriptions } from './topology.ts';

/** The services that publish events. Each signs its events with its own key. */
export const producers = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks'] as const;
export type Producer = (typeof producers)[number];

const byType: Record<EventType, Producer> = {
  'merchant.updated': 'gateway',
  'merchant.clock_moved': 'gateway',
  'api_key.expiring': 'gateway',
  'session.ended': 'gateway',
  'charge.created': 'charges',
  'charge.cancelled': 'charges',
  'charge.paid': 'charges',
  'charge.expired': 'charges',
  'charge.refunded': 'charges',
  'charge.refund_failed': 'charges',
  'checkout.completed': 'charges',
  'checkout.expired': 'charges',
  'refund.created': 'charges',
  'refund.refused': 'charges',
  'dispute.opened': 'charges',
  'dispute.updated': 'charges',
  'dispute.resolved': 'charges',
  'unexpected_payment.received': 'charges',
  'unexpected_payment.returned': 'charges',
  'payment.unexpected': 'charges',
  'withdrawal.created': 'withdrawals',
  'withdrawal.approved': 'withdrawals',
  'withdrawal.processing': 'withdrawals',
  'withdrawal.completed': 'withdrawals',
  'withdrawal.failed': 'withdrawals',
  'withdrawal.rejected': 'withdrawals',
  'withdrawal.abandoned': 'withdrawals',
  'receivable.settled': 'ledger',
  'live.gateway': 'gateway',
  'live.charges': 'charges',
  'live.withdrawals': 'withdrawals',
  'live.ledger': 'ledger',
  'chain.anchored.gateway': 'gateway',
  'chain.anchored.charges': 'charges',
  'chain.anchored.withdrawals': 'withdrawals',
  'chain.anchored.ledger': 'ledger',
  'chain.anchored.webhooks': 'webhooks',
};

export function producerOf(type: EventType): Producer {
  return byType[type];
}

export function typesOf(producer: Producer): EventType[] {
  return Object.keys(byType).filter(
    (type): type is EventType => isEventType(type) && byType[type] === producer,
  );
}

export function isEventType(name: string): name is EventType {
  return Object.hasOwn(byType, name);
}

export function anchorTypeOf(producer: Producer): AnchorType {
  return `chain.anchored.${producer}`;
}

/**
 * Lists the producers whose events the subscriber reads and whose keys it therefore needs. Anchors of other
 * producers need no key: an anchor that the subscriber cannot verify becomes a dead letter.
 */
export function producersFor(subscriber: Subscriber): Producer[] {
  return producers.filter((producer) => subscriptions[subscriber].some((type) => byType[type] === producer));
}

export function isProducer(name: string): name is Producer {
  return producers.some((producer) => producer === name);
}
