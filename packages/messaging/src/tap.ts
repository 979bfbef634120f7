import {
  type DomainEvent,
  type EventType,
  eventExchange,
  type Producer,
  producerOf,
  readEvents,
} from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { ConsumeMessage } from 'amqplib';
import { openBroker } from './broker.ts';
import { countVerdict, createSignaturePolicy, type SignatureRules } from './signatures.ts';

interface TapOptions {
  brokerUrl: string;
  brokerAuthority?: string | undefined;
  name: string;
  log: Log;
  types: readonly EventType[];
  signatures: SignatureRules;
  receive(event: DomainEvent): void;
  /** Called after each connection. Events that were published before the connection are missed. */
  onReady?(): void;
}

export interface Tap {
  isConnected(): boolean;
  stop(): Promise<void>;
}

/**
 * The maximum number of events in the tap's queue. A full queue drops its oldest event. Pages then show the
 * effect of that event at their next poll.
 */
const MOST_WAITING = 10_000;

/**
 * Receives the events that are published while the tap is connected. The broker deletes the tap's queue when
 * the connection ends, so a tap is for readers that may miss events. `listen` misses no event.
 */
export function openTap({
  brokerUrl,
  brokerAuthority,
  name,
  log,
  types,
  signatures,
  receive,
  onReady,
}: TapOptions): Tap {
  const producers = new Set<Producer>(types.map(producerOf));
  const signaturePolicy = createSignaturePolicy([...producers], signatures);

  function take(message: ConsumeMessage | null): void {
    if (message === null) {
      broker.reconnect();
      return;
    }
    try {
      const events = readEvents(message.content);
      const [event] = events;
      const verdict = signaturePolicy.verify(message, event);
      countVerdict(verdict);
      if (signaturePolicy.accepts(verdict)) for (const one of events) receive(one);
      else
        log.warn({ eventId: event.id, type: event.type, verdict }, 'event without a valid signature dropped');
    } catch (error) {
      log.warn({ err: error }, 'unreadable event dropped');
    }
  }

  const broker = openBroker({
    ...{ url: brokerUrl, authority: brokerAuthority },
    name: `${name} tap`,
    log,
    async setup(connection) {
      const channel = await connection.createChannel();
      channel.on('error', (error) => log.warn({ err: error }, 'listening channel failed'));
      channel.on('close', () => broker.reconnect());
      const { queue } = await channel.assertQueue(`${name}.live.${newId()}`, {
        ...{ exclusive: true, autoDelete: true, durable: false },
        arguments: { 'x-max-length': MOST_WAITING, 'x-overflow': 'drop-head' },
      });
      for (const type of types) await channel.bindQueue(queue, eventExchange, type);
      await channel.consume(queue, take, { noAck: true, exclusive: true });
      onReady?.();
    },
  });
  return { isConnected: () => broker.isConnected(), stop: () => broker.close() };
}
