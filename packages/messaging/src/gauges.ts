import { deadQueueOf, queueOf, type Subscriber } from '@plataforma/events';
import type { GaugeSample } from '@plataforma/observe';
import type { ChannelModel } from 'amqplib';
import { metrics } from './metrics.ts';

/**
 * Reads the lengths of the queues on a separate channel, because the broker closes the channel if a queue is
 * missing.
 */
export async function readQueues(
  connection: ChannelModel | undefined,
  subscriber: Subscriber,
): Promise<GaugeSample[]> {
  if (!connection) throw new Error('no connection to the broker');
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  const queues = [queueOf(subscriber), deadQueueOf(subscriber)];
  const found = await Promise.all(queues.map((queue) => channel.checkQueue(queue)));
  await channel.close();
  return found.flatMap(({ queue, messageCount, consumerCount }): GaugeSample[] => [
    metrics.gauge('plataforma_queue_messages', { queue }, messageCount),
    metrics.gauge('plataforma_queue_consumers', { queue }, consumerCount),
  ]);
}
