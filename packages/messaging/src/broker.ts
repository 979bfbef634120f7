import type { Log } from '@plataforma/chassis';
import { deadQueueOf, eventExchange, queueOf, type Subscriber, subscriptions } from '@plataforma/events';
import { type Channel, type ChannelModel, connect, type RecoveringChannelModel } from 'amqplib';

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

const HEARTBEAT_SECONDS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_RECONNECT_DELAY_MS = 2_000;

/**
 * How often a message may come back because its reader died before it is set aside. Refused messages are set
 * aside at once; this only bounds a message that ends processes.
 */
const DELIVERY_LIMIT = 20;

/** A connection that is made again whenever it is lost, for as long as the process lives. */
export async function openBroker({ url, name, log, setup }: BrokerOptions): Promise<Broker> {
  let current: ChannelModel | undefined;
  const connection: RecoveringChannelModel = await connect(withHeartbeat(url), {
    timeout: CONNECT_TIMEOUT_MS,
    clientProperties: { connection_name: name },
    recovery: {
      waitForConnect: false,
      maxDelay: MAX_RECONNECT_DELAY_MS,
      setup: async (model: ChannelModel) => {
        // Nobody else listens while the setup runs, and an 'error' without a listener ends the process.
        model.on('error', (error) => log.warn({ err: error, connection: name }, 'broker connection failed'));
        await declareTopology(model);
        await setup(model);
        current = model;
      },
    },
  });
  connection.on('error', () => undefined);
  connection.on('connect', () => log.info({ connection: name }, 'connected to the broker'));
  connection.on('disconnect', (error) => {
    current = undefined;
    log.warn({ err: error, connection: name }, 'broker connection lost');
  });
  connection.on('connect-failed', (error) =>
    log.warn({ err: error, connection: name }, 'broker unreachable'),
  );

  return {
    isConnected: () => current !== undefined,
    reconnect: () => void closeQuietly(current),
    close: () => connection.close(),
  };
}

/** It may be closed already: then there is nothing to do. */
async function closeQuietly(model: ChannelModel | undefined): Promise<void> {
  try {
    await model?.close();
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
