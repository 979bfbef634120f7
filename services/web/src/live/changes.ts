import {
  type DomainEvent,
  type EventType,
  isEventType,
  type PageUpdateType,
  type Producer,
  pageUpdateTypeOf,
  pageUpdateTypes,
  producerOf,
  type subscriptions,
} from '@plataforma/events';
import type { SignatureRules } from '@plataforma/messaging';

export type PageUpdateEvent = Extract<DomainEvent, { type: PageUpdateType }>;
type WebhookEvent = (typeof subscriptions.webhooks)[number];
type NounOf<T extends string> = T extends `${infer Noun}.${string}` ? Noun : never;

/** The producers whose keys the service requires at its start, because every release has required them. */
const REQUIRED: readonly Producer[] = ['charges', 'withdrawals'];

/**
 * Returns the types of live updates that streams follow. If signatures are required, omits producers without
 * a key, so that the missing key of a new producer does not prevent the start. Keeps REQUIRED producers.
 */
export function followedTypes({ mode, keys }: SignatureRules): PageUpdateType[] {
  return pageUpdateTypes.filter((type) => {
    const producer = producerOf(type);
    return mode === 'accept' || REQUIRED.includes(producer) || (keys?.get(producer)?.length ?? 0) > 0;
  });
}

const CHARGE = ['charge', 'paymentLink', 'balance', 'receivable', 'event'];
const REFUND = [...CHARGE, 'refund'];

/**
 * Maps the first part of an event's type to the queries of pages that the event makes stale. The first part
 * of a query's key names the query.
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

/**
 * Returns the type of the event that a live update is about. Returns null for a type that this release does
 * not know, or that belongs to a producer other than the update's.
 */
export function aboutOf({ type, data }: PageUpdateEvent): EventType | null {
  const { about } = data;
  return isEventType(about) && pageUpdateTypeOf(producerOf(about)) === type ? about : null;
}
