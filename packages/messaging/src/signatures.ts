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

/** `accept`: events without a signature are applied and counted, while a release that signs none still runs. */
export const signatureModes = ['accept', 'require'] as const;

export interface SignatureRules {
  mode: (typeof signatureModes)[number];
  /** The public keys of each producer; may be left out where nothing is required. */
  keys?: ReadonlyMap<string, readonly EventKey[]> | undefined;
}

/** What a subscriber makes of the signatures of what it gets. */
export interface Inspector {
  verdictOf(message: Pick<ConsumeMessage, 'content' | 'properties'>, event: DomainEvent): Verdict;
  /** Whether an event with this verdict may be applied. */
  admits(verdict: Verdict): boolean;
}

const inspected = metrics.recorder('plataforma_event_signatures_total');

/** Throws where signatures are required and a producer that `subscriber` listens to, or one named, has no key here. */
export function createInspector(
  subscriber: Subscriber | readonly Producer[],
  { mode, keys = new Map() }: SignatureRules,
): Inspector {
  const isRequired = mode === 'require';
  const producers = typeof subscriber === 'string' ? producersFor(subscriber) : subscriber;
  const unknown = producers.filter((producer) => !keys.get(producer)?.length);
  if (isRequired && unknown.length > 0)
    throw new Error(`EVENT_SIGNATURES=require needs EVENT_KEYS of ${unknown.join(' and ')}`);
  const verifier = createEventVerifier(keys);
  return {
    verdictOf: ({ content, properties }, { type }) =>
      verifier.verdictOf({ body: content, type, proof: properties.headers?.[SIGNATURE_HEADER] }),
    admits: (verdict) => verdict === 'valid' || (!isRequired && verdict !== 'invalid'),
  };
}

/** What came of the look at an event that was received. */
export function countVerdict(verdict: Verdict): void {
  inspected({ verdict }, 1);
}
