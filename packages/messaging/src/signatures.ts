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

/**
 * The modes of signature checks. `accept` also applies unsigned events and counts them. Use `accept` while a
 * release that does not sign is still running.
 */
export const signatureModes = ['accept', 'require'] as const;

export interface SignatureRules {
  mode: (typeof signatureModes)[number];
  /** The public keys of each producer. Optional if `mode` is `accept`. */
  keys?: ReadonlyMap<string, readonly EventKey[]> | undefined;
}

/** Checks signatures, and decides which events a subscriber applies. */
export interface SignaturePolicy {
  verify(message: Pick<ConsumeMessage, 'content' | 'properties'>, event: DomainEvent): Verdict;
  accepts(verdict: Verdict): boolean;
}

const inspected = metrics.recorder('plataforma_event_signatures_total');

/**
 * Creates the policy for the given producers, or for the producers of the subscriber's events. Throws when
 * signatures are required but the keys of one of these producers are missing.
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
