import {
  createEventVerifier,
  type DomainEvent,
  type EventKey,
  type Producer,
  producersFor,
  SIGNATURE_HEADER,
  type Subscriber,
  type Verdict,
} from '@plataforma/events';
import type { ConsumeMessage } from 'amqplib';
import { metrics } from './metrics.ts';

/** `accept` applies and counts events without a signature, while a release that does not sign still runs. */
export const signatureModes = ['accept', 'require'] as const;

export interface SignatureRules {
  mode: (typeof signatureModes)[number];
  /** The public keys of each producer; optional unless `mode` is `require`. */
  keys?: ReadonlyMap<string, readonly EventKey[]> | undefined;
}

/** Decides which events a subscriber applies, based on their signatures. */
export interface SignaturePolicy {
  verify(message: Pick<ConsumeMessage, 'content' | 'properties'>, event: DomainEvent): Verdict;
  accepts(verdict: Verdict): boolean;
}

const inspected = metrics.recorder('plataforma_event_signatures_total');

/**
 * Throws when signatures are required but a producer has no key. The producers are those given, or those of
 * the subscriber.
 */
export function createSignaturePolicy(
  subscriber: Subscriber | readonly Producer[],
  { mode, keys = new Map() }: SignatureRules,
): SignaturePolicy {
  const isRequired = mode === 'require';
  const producers = typeof subscriber === 'string' ? producersFor(subscriber) : subscriber;
  const unknown = producers.filter((producer) => !keys.get(producer)?.length);
  if (isRequired && unknown.length > 0)
    throw new Error(`EVENT_SIGNATURES=require needs EVENT_KEYS of ${unknown.join(' and ')}`);
  const verifier = createEventVerifier(keys);
  return {
    verify: ({ content, properties }, { type }) =>
      verifier.verdictOf({ body: content, type, proof: properties.headers?.[SIGNATURE_HEADER] }),
    accepts: (verdict) => verdict === 'valid' || (!isRequired && verdict !== 'invalid'),
  };
}

export function countVerdict(verdict: Verdict): void {
  inspected({ verdict }, 1);
}
