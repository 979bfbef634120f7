import { setTimeout as sleep } from 'node:timers/promises';
import { deadQueueOf, eventExchange, queueOf, type Subscriber, subscriptions } from '@plataforma/events';
import { backoff } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { within } from './within.ts';

interface BrokerOptions {
  /** `amqp://` or `amqps://`, with the virtual host. */
  url: string;
  /** Shown in the broker's list of connections. */
  name: string;
  log: Log;
  /** Opens channels and consumers; called after every connect, when the topology stands. */
  setup: (connection: ChannelModel) => Promise<void>;
}

export interface Broker {
  isConnected(): boolean;
  /** Drops the connection, so that a new one is made and set up from the start. */
  reconnect(): void;
  close(): Promise<void>;
}

/** A connection that is set up, and how to hear of its end or to bring it about. */
interface Link {
  model: ChannelModel;
  ended: Promise<Error>;
  end: (reason: Error) => void;
}

const HEARTBEAT_SECONDS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const SETUP_TIMEOUT_MS = 10_000;
/** Long enough for a busy broker to take the last acknowledgements; two of them fit into a stop. */
const CLOSE_TIMEOUT_MS = 4_000;
const RECONNECTS = { firstMs: 100, longestMs: 2_000 };

/**
 * How often a message may come back because its reader died before it is set aside. Refused messages are set
 * aside at once; this only bounds a message that ends processes.
 */
const DELIVERY_LIMIT = 20;

/**
 * A connection that is made again whenever it is lost, until it is closed. The library's own recovery is not used:
 * it waits without end for a `close` whose answer was cut off, and then never connects again.
 */
export function openBroker(options: BrokerOptions): Broker {
  const { name, log } = options;
  const closing = new AbortController();
  let current: Link | undefined;
  const lifetime = stayConnected();

  async function stayConnected(): Promise<void> {
    let nextDelayMs = backoff(RECONNECTS);
    while (!closing.signal.aborted) {
      try {
        current = await openLink(options);
        log.info({ connection: name }, 'connected to the broker');
        nextDelayMs = backoff(RECONNECTS);
        const reason = closing.signal.aborted ? undefined : await current.ended;
        if (!closing.signal.aborted) log.warn({ err: reason, connection: name }, 'broker connection lost');
      } catch (error) {
        log.warn({ err: error, connection: name }, 'broker unreachable');
      }
      await closeQuietly(current?.model);
      current = undefined;
      await sleep(nextDelayMs(), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  return {
    isConnected: () => current !== undefined,
    reconnect: () => current?.end(new Error('given up by its user')),
    async close() {
      closing.abort();
      current?.end(new Error('closed'));
      await lifetime;
    },
  };
}

/** Throws when the connection breaks, or answers nothing, before its setup is done. */
async function openLink({ url, name, log, setup }: BrokerOptions): Promise<Link> {
  const model = await connect(withHeartbeat(url), {
    timeout: CONNECT_TIMEOUT_MS,
    clientProperties: { connection_name: name },
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<Error>();
  model.on('close', (error) => end(error ?? new Error('closed')));
  // An 'error' without a listener ends the process.
  model.on('error', (error) => log.warn({ err: error, connection: name }, 'broker connection failed'));
  const broken = ended.then((reason) => {
    throw reason;
  });
  try {
    const ready = declareTopology(model).then(() => setup(model));
    await within(SETUP_TIMEOUT_MS, Promise.race([ready, broken]), 'the broker did not answer the setup');
  } catch (error) {
    await closeQuietly(model);
    throw error;
  }
  return { model, ended, end };
}

/** It may be closed already, or nobody may answer: then it is left to its connection's heartbeat. */
export async function closeQuietly(open: Channel | ChannelModel | undefined): Promise<void> {
  if (!open) return;
  try {
    await within(CLOSE_TIMEOUT_MS, open.close(), 'the broker did not answer the close');
  } catch {}
}

function withHeartbeat(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return parsed.href;
}

/**
 * Declares the exchange and every subscriber's queues, so that an event finds its queues whoever starts first.
 * Declaring again what exists changes nothing.
 */
async function declareTopology(connection: ChannelModel): Promise<void> {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  await channel.assertExchange(eventExchange, 'topic', { durable: true });
  for (const subscriber of Object.keys(subscriptions).filter(isSubscriber))
    await declareQueues(channel, subscriber);
  await channel.close();
}

function isSubscriber(name: string): name is Subscriber {
  return Object.hasOwn(subscriptions, name);
}

async function declareQueues(channel: Channel, subscriber: Subscriber): Promise<void> {
  const dead = deadQueueOf(subscriber);
  await channel.assertQueue(dead, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.assertQueue(queueOf(subscriber), {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      // RabbitMQ 3.10 has no limit of its own.
      'x-delivery-limit': DELIVERY_LIMIT,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': dead,
      // Only with both of these does a message leave its queue after the dead-letter queue has confirmed it.
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
  });
  for (const type of subscriptions[subscriber])
    await channel.bindQueue(queueOf(subscriber), eventExchange, type);
}
