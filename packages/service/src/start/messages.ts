import { type EventSigner, isProducer, type Producer } from '@plataforma/events';
import {
  createSignaturePolicy,
  type LiveUpdates,
  listen,
  type SignaturePolicy,
  type SignatureRules,
  startLiveUpdates,
  startRelay,
} from '@plataforma/messaging';
import type { Log, ReadGauges } from '@plataforma/observe';
import { type Apply, savingAnchors } from '@plataforma/tables';
import { type BrokerConfig, brokerOf, eventSigner, hasBroker, signatureRules } from '../settings.ts';
import type { Begun } from './begun.ts';
import type { Core } from './service.ts';

/** How a service publishes and checks events; a service without a signer publishes none. */
export interface Messages {
  name: Producer;
  brokerUrl: string;
  brokerAuthority: string | undefined;
  signer: EventSigner | undefined;
  signatures: SignatureRules;
}

/** Returns the messages of a service, or undefined for a service without a broker. */
export function messagesOf(name: string, config: object): Messages | undefined {
  if (!isProducer(name) || !hasBroker(config)) return undefined;
  const signer = eventSigner(name, config.SERVICE_KEY);
  return { name, ...brokerOf(config), signer, signatures: signatureRules(config) };
}

/** Starts the live updates of a service; they end with its dependencies. */
export function openLiveUpdates(
  name: Producer,
  { config, log, onStop }: Core<BrokerConfig & { SERVICE_KEY: string }>,
): LiveUpdates {
  const liveUpdates = startLiveUpdates({
    ...brokerOf(config),
    name,
    log,
    signer: eventSigner(name, config.SERVICE_KEY),
  });
  onStop('dependencies', liveUpdates.stop);
  return liveUpdates;
}

/** A service's connection to the broker: its relay, its listener, or both. */
export interface BrokerLink {
  isConnected(): boolean;
  /** Returns true once the listener has bound its queues, which needs this release's broker permissions. */
  isListening(): boolean;
  gauges: readonly ReadGauges[];
}

export interface Subscription {
  subscriber: Producer;
  apply: Apply;
  signaturePolicy: SignaturePolicy;
}

/** Creates a subscription. Throws where signatures are required but could not be checked. */
export function subscriptionOf({ name, signatures }: Messages, apply: Apply, log: Log): Subscription {
  const signaturePolicy = createSignaturePolicy(name, signatures);
  return { subscriber: name, apply: savingAnchors(log, apply), signaturePolicy };
}

interface MessagesDependencies {
  subscription: Subscription | undefined;
  core: Core<unknown>;
  begun: Begun;
}

/** Starts relay and listener. The relay stops after the entry points, whose last events it publishes. */
export function startMessages(
  { name, brokerUrl, brokerAuthority, signer }: Messages,
  { subscription, core, begun }: MessagesDependencies,
): BrokerLink {
  const connection = { database: core.database, log: core.log, brokerUrl, brokerAuthority };
  const links: Omit<BrokerLink, 'isListening'>[] = [];
  if (signer) {
    const relay = startRelay({ ...connection, name, signer });
    begun.add('dependencies', relay.stop);
    links.push(relay);
  }
  const listener = subscription && listen({ ...connection, ...subscription });
  if (listener) {
    begun.add('entryPoints', listener.stop);
    links.push(listener);
  }
  return {
    isConnected: () => links.every((link) => link.isConnected()),
    isListening: () => listener?.isConnected() === true,
    gauges: links.flatMap(({ gauges }) => gauges),
  };
}
