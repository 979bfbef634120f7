import type { Subscriber } from '@plataforma/events';
import { type Apply, createInspector, type Inspector, listen, startRelay } from '@plataforma/messaging';
import type { Log, ReadGauges } from '@plataforma/observe';
import { keepingAnchors } from '../anchors/keep-anchors.ts';
import type { Begun } from './begun.ts';
import type { Core, Messages } from './service.ts';

/** What connects a service to the broker: its relay, its listener, or both. */
export interface BrokerLink {
  isConnected(): boolean;
  /** Its listener is: the broker has let it bind its queues, as it does for nobody whose permissions are of a release before. */
  isListening(): boolean;
  gauges: readonly ReadGauges[];
}

/** What a service subscribes to, with what it makes of the signatures on it. */
export interface Subscription {
  subscriber: Subscriber;
  apply: Apply;
  inspector: Inspector;
}

/** Throws where signatures are required that could not be checked. */
export function inspected(
  { signatures, subscriber, apply }: NonNullable<Messages['subscription']>,
  log: Log,
): Subscription {
  return {
    subscriber,
    apply: keepingAnchors(log, apply),
    inspector: createInspector(subscriber, signatures),
  };
}

interface MessagesParts {
  name: string;
  subscription: Subscription | undefined;
  core: Core<unknown>;
  begun: Begun;
}

/** The relay stops after the entrances, whose last work it still publishes. */
export function startMessages(
  { brokerUrl, brokerAuthority, signer }: Messages,
  { name, subscription, core, begun }: MessagesParts,
): BrokerLink {
  const parts = { database: core.database, log: core.log, brokerUrl, brokerAuthority };
  const links: Omit<BrokerLink, 'isListening'>[] = [];
  if (signer) {
    const relay = startRelay({ ...parts, name, signer });
    begun.add('parts', relay.stop);
    links.push(relay);
  }
  const listener = subscription && listen({ ...parts, ...subscription });
  if (listener) {
    begun.add('entrances', listener.stop);
    links.push(listener);
  }
  return {
    isConnected: () => links.every((link) => link.isConnected()),
    isListening: () => listener?.isConnected() === true,
    gauges: links.flatMap(({ gauges }) => gauges),
  };
}
