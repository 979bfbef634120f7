import { deadQueueOf, queueOf, type Subscriber } from '@plataforma/events';
import type { GaugeSample } from '@plataforma/observe';
import type { ChannelModel } from 'amqplib';
import { metrics } from './metrics.ts';

/** Returns true if messages wait in the subscriber's queue, or if the broker does not answer. */
export async function hasWaiting(connection: ChannelModel | undefined, subscriber: Subscriber) {
  try {
    const [events] = await checkQueues(connection, [queueOf(subscriber)]);
    return events === undefined || events.messageCount > 0;
  } catch {
    return true;
  }
}

/**
 * Reads the lengths of the queues on a separate channel, because the broker closes the channel if a queue is
 * missing.
 */
export async function readQueues(
  connection: ChannelModel | undefined,
  subscriber: Subscriber,
): Promise<GaugeSample[]> {
  const found = await checkQueues(connection, [queueOf(subscriber), deadQueueOf(subscriber)]);
  return found.flatMap(({ queue, messageCount, consumerCount }): GaugeSample[] => [
    metrics.gauge('plataforma_queue_messages', { queue }, messageCount),
    metrics.gauge('plataforma_queue_consumers', { queue }, consumerCount),
  ]);
}

async function checkQueues(connection: ChannelModel | undefined, queues: readonly string[]) {
  if (!connection) throw new Error('no connection to the broker');
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  const found = await Promise.all(queues.map((queue) => channel.checkQueue(queue)));
  await channel.close();
  return found;
}
