import { deadQueueOf, queueOf, type Subscriber } from '@plataforma/events';
import type { ReadGauges } from '@plataforma/observe';
import { readDeadLetters, startPruningDeadLetters } from '@plataforma/tables';
import type { ChannelModel } from 'amqplib';
import { type Broker, openBroker } from './broker.ts';
import { type Consumer, type ConsumerDependencies, createConsumer } from './consumer.ts';
import { createDeadLetterKeeper, type DeadLetterKeeper } from './dead-letter-keeper.ts';
import { declareQueues } from './declare-topology.ts';
import { hasWaiting, readQueues } from './gauges.ts';

interface ListenOptions extends Omit<ConsumerDependencies, 'onLost' | 'queue'> {
  subscriber: Subscriber;
  brokerUrl: string;
  /** The certificate authority of the broker as PEM. Without it, Node's own authorities apply. */
  brokerAuthority?: string | undefined;
}

export interface Listener {
  /** The gauges of the service's queues and of its stored dead letters. */
  gauges: readonly ReadGauges[];
  isConnected(): boolean;
  /** Returns true if the listener is not connected, or if messages wait in its queue. */
  isBehind(): Promise<boolean>;
  /**
   * Finishes the batches that are being applied. The messages that are in none of these batches return to the
   * queue.
   */
  stop(): Promise<void>;
}

/**
 * The maximum number of unacknowledged messages. It suffices for two running batches of 200 events, and for a
 * third batch that collects events.
 */
const PREFETCH = 600;
const DEAD_LETTERS_PREFETCH = 20;

/**
 * Applies each event of the subscriber's queue exactly once, with `createConsumer`. Stores in `dead_letters`
 * the events that cannot be applied, and prunes that table.
 */
export function listen({
  subscriber,
  brokerUrl,
  brokerAuthority,
  log,
  ...dependencies
}: ListenOptions): Listener {
  let consumer: Consumer | undefined;
  let keeper: DeadLetterKeeper | undefined;
  let link: ChannelModel | undefined;
  const onLost = () => broker.reconnect();
  const broker: Broker = openBroker({
    ...{ url: brokerUrl, authority: brokerAuthority },
    name: `${subscriber} listener`,
    log,
    setup: async (connection) => {
      await declareQueues(connection, subscriber);
      link = connection;
      const channel = await connection.createChannel();
      const queue = queueOf(subscriber);
      consumer = createConsumer(channel, { ...dependencies, log, queue, onLost });
      await channel.prefetch(PREFETCH);
      await channel.consume(queue, consumer.receive);
      const deadLetterChannel = await connection.createChannel();
      keeper = createDeadLetterKeeper(deadLetterChannel, { ...dependencies, log, onLost });
      await deadLetterChannel.prefetch(DEAD_LETTERS_PREFETCH);
      await deadLetterChannel.consume(deadQueueOf(subscriber), keeper.receive);
    },
  });
  const pruning = startPruningDeadLetters(dependencies.database, log);

  const isConnected = () => broker.isConnected() && consumer?.isOpen() === true;

  return {
    gauges: [() => readQueues(link, subscriber), () => readDeadLetters(dependencies.database)],
    isConnected,
    isBehind: async () => !isConnected() || hasWaiting(link, subscriber),
    async stop() {
      await Promise.all([consumer?.finish(), keeper?.finish(), pruning.stop()]);
      await broker.close();
    },
  };
}
