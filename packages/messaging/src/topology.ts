import {
  deadExchange,
  eventExchange,
  type Queue,
  queuesOf,
  type Subscriber,
  subscribers,
} from '@plataforma/events';
import type { Channel, ChannelModel } from 'amqplib';

/**
 * Makes both exchanges and all queues, as set-up does with the broker's administrator. Existing ones stay as
 * they are.
 */
export async function declareTopology(connection: ChannelModel): Promise<void> {
  await onChannel(connection, async (channel) => {
    await channel.assertExchange(eventExchange, 'topic', { durable: true });
    await channel.assertExchange(deadExchange, 'topic', { durable: true });
  });
  for (const subscriber of subscribers) await declareQueues(connection, subscriber);
}

/** Rejects while set-up has not made the exchange that events are published to. */
export async function requireExchange(connection: ChannelModel): Promise<void> {
  await onChannel(connection, (channel) => channel.checkExchange(eventExchange));
}

/**
 * Makes the subscriber's own queues where they are missing, and binds them: a queue that was deleted comes
 * back when its reader reconnects. An existing one is left as it is, because an older release declares it
 * with other arguments.
 */
export async function declareQueues(connection: ChannelModel, subscriber: Subscriber): Promise<void> {
  for (const queue of queuesOf(subscriber)) {
    if (!(await isThere(connection, queue.name))) await declare(connection, queue);
    await onChannel(connection, (channel) => bind(channel, queue));
  }
}

async function declare(connection: ChannelModel, { name, arguments: given }: Queue): Promise<void> {
  await onChannel(connection, (channel) => channel.assertQueue(name, { durable: true, arguments: given }));
}

async function bind(channel: Channel, { name, bindings }: Queue): Promise<void> {
  const { exchange, routingKeys } = bindings;
  await Promise.all(routingKeys.map((key) => channel.bindQueue(name, exchange, key)));
}

const NOT_FOUND = 404;

async function isThere(connection: ChannelModel, queue: string): Promise<boolean> {
  try {
    await onChannel(connection, (channel) => channel.checkQueue(queue));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NOT_FOUND) return false;
    throw error;
  }
}

/** Opens a channel for each call, because the broker closes it when it refuses. */
async function onChannel(
  connection: ChannelModel,
  work: (channel: Channel) => Promise<unknown>,
): Promise<void> {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  await work(channel);
  await channel.close();
}
