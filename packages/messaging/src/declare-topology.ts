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
 * Creates both exchanges and all queues. The set-up of an installation calls this function with the rights of
 * the broker's administrator. Existing queues stay unchanged.
 */
export async function declareTopology(connection: ChannelModel): Promise<void> {
  await onChannel(connection, async (channel) => {
    await channel.assertExchange(eventExchange, 'topic', { durable: true });
    await channel.assertExchange(deadExchange, 'topic', { durable: true });
  });
  for (const subscriber of subscribers) await declareQueues(connection, subscriber);
}

/**
 * Throws when the exchange for events does not exist, which means that the set-up of the installation has not
 * run.
 */
export async function requireExchange(connection: ChannelModel): Promise<void> {
  await onChannel(connection, (channel) => channel.checkExchange(eventExchange));
}

/**
 * Creates the missing queues of a subscriber, and binds all its queues. So a deleted queue is created again
 * when its subscriber connects. Existing queues stay unchanged, because an older release may have declared
 * them with other arguments.
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

/** Opens a separate channel for each call, because the broker closes a channel when it refuses a request. */
async function onChannel(
  connection: ChannelModel,
  work: (channel: Channel) => Promise<unknown>,
): Promise<void> {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  await work(channel);
  await channel.close();
}
