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

/**
 * The settings by which a service publishes and checks events. A service without a signer publishes no
 * events.
 */
export interface Messages {
  name: Producer;
  brokerUrl: string;
  brokerAuthority: string | undefined;
  signer: EventSigner | undefined;
  signatures: SignatureRules;
}

/** Returns the settings of a service's messages, or undefined for a service without a broker. */
export function messagesOf(name: string, config: object): Messages | undefined {
  if (!isProducer(name) || !hasBroker(config)) return undefined;
  const signer = eventSigner(name, config.SERVICE_KEY);
  return { name, ...brokerOf(config), signer, signatures: signatureRules(config) };
}

/** Starts the live updates of a service. They stop together with the dependencies of the service. */
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

/** The connections of a service to the broker: of its relay, its listener, or both. */
export interface BrokerLink {
  isConnected(): boolean;
  /**
   * Returns true when the listener has bound its queues. Binding needs the broker permissions of this
   * release.
   */
  isListening(): boolean;
  /** Returns true if events that were published long ago may still arrive. */
  isBehind(): Promise<boolean>;
  gauges: readonly ReadGauges[];
}

export interface Subscription {
  subscriber: Producer;
  apply: Apply;
  signaturePolicy: SignaturePolicy;
}

/** Creates a subscription. Throws when signatures are required but the keys to check them are missing. */
export function subscriptionOf({ name, signatures }: Messages, apply: Apply, log: Log): Subscription {
  const signaturePolicy = createSignaturePolicy(name, signatures);
  return { subscriber: name, apply: savingAnchors(log, apply), signaturePolicy };
}

interface MessagesDependencies {
  subscription: Subscription | undefined;
  core: Core<unknown>;
  begun: Begun;
}

/**
 * Starts the relay and the listener. The relay stops after the servers, the listener and the jobs, because it
 * still publishes their last events.
 */
export function startMessages(
  { name, brokerUrl, brokerAuthority, signer }: Messages,
  { subscription, core, begun }: MessagesDependencies,
): BrokerLink {
  const connection = { database: core.database, log: core.log, brokerUrl, brokerAuthority };
  const links: Pick<BrokerLink, 'isConnected' | 'gauges'>[] = [];
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
    isBehind: async () => listener === undefined || listener.isBehind(),
    gauges: links.flatMap(({ gauges }) => gauges),
  };
}
