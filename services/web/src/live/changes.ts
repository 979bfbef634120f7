import {
  type DomainEvent,
  type EventType,
  type Producer,
  producerOf,
  type subscriptions,
  typesForPages,
} from '@plataforma/events';
import type { SignatureRules } from '@plataforma/messaging';

type WebhookEvent = (typeof subscriptions.webhooks)[number];
type NounOf<T extends string> = T extends `${infer Noun}.${string}` ? Noun : never;

/**
 * Without the keys of these producers the service does not start, because every release has required their
 * keys.
 */
const REQUIRED: readonly Producer[] = ['charges', 'withdrawals'];

/**
 * Returns the event types that streams follow. If signatures are required, leaves out producers without a
 * key, because a missing key of a new producer would stop the start. REQUIRED producers always stay.
 */
export function followedTypes({ mode, keys }: SignatureRules): EventType[] {
  return typesForPages.filter((type) => {
    const producer = producerOf(type);
    return mode === 'accept' || REQUIRED.includes(producer) || (keys?.get(producer)?.length ?? 0) > 0;
  });
}

const CHARGE = ['charge', 'paymentLink', 'balance', 'receivable', 'event'];
const REFUND = [...CHARGE, 'refund'];

/**
 * The pages' queries that an event makes stale, by the first part of the event's type. The first part of a
 * query's key names the query.
 */
const changed: Readonly<Record<NounOf<WebhookEvent>, readonly string[]>> = {
  charge: CHARGE,
  payment: CHARGE,
  refund: REFUND,
  dispute: [...REFUND, 'dispute'],
  checkout: ['paymentLink', 'event'],
  withdrawal: ['withdrawal', 'balance', 'event'],
  receivable: ['receivable', 'balance', 'event'],
  api_key: ['api-key', 'event'],
};

export function changedBy({ type }: Pick<DomainEvent, 'type'>): readonly string[] {
  if (type === 'charge.refunded' || type === 'charge.refund_failed') return REFUND;
  const [noun = ''] = type.split('.');
  return isNoun(noun) ? changed[noun] : [];
}

function isNoun(noun: string): noun is keyof typeof changed {
  return Object.hasOwn(changed, noun);
}

/** Returns the id of the charge whose buyer's page shows the event, or null for an event without a charge. */
export function chargeOf(event: DomainEvent): string | null {
  const names = ['dispute.opened', 'dispute.resolved', 'payment.unexpected'];
  if (names.includes(event.type) && 'chargeId' in event.data) return event.data.chargeId;
  return event.type.startsWith('charge.') ? event.aggregateId : null;
}

/** Returns the id of the visit whose buyer's page shows the event, or null for an event without a visit. */
export function checkoutOf({ data }: DomainEvent): string | null {
  return 'checkoutId' in data && typeof data.checkoutId === 'string' ? data.checkoutId : null;
}
