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

/** Producers whose keys every release has required here. */
const REQUIRED: readonly Producer[] = ['charges', 'withdrawals'];

/** Lists the events that streams follow, except those whose producer has no key here. */
export function followedTypes({ mode, keys }: SignatureRules): EventType[] {
  return typesForPages.filter((type) => {
    const producer = producerOf(type);
    return mode === 'accept' || REQUIRED.includes(producer) || (keys?.get(producer)?.length ?? 0) > 0;
  });
}

const CHARGE = ['charge', 'paymentLink', 'balance', 'receivable', 'event'];
const REFUND = [...CHARGE, 'refund'];

/**
 * The queries of the pages that an event changes, by the noun of its type. A query is named by the first part
 * of its key.
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

/** Returns the charge whose buyer may have its page open, or null for an event without a charge. */
export function chargeOf(event: DomainEvent): string | null {
  const names = ['dispute.opened', 'dispute.resolved', 'payment.unexpected'];
  if (names.includes(event.type) && 'chargeId' in event.data) return event.data.chargeId;
  return event.type.startsWith('charge.') ? event.aggregateId : null;
}

/** Returns the visit whose buyer may have its page open. */
export function checkoutOf({ data }: DomainEvent): string | null {
  return 'checkoutId' in data && typeof data.checkoutId === 'string' ? data.checkoutId : null;
}
