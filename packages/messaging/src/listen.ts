import { queueOf, type Subscriber } from '@plataforma/events';
import { type Broker, openBroker } from './broker.ts';
import { type Consumer, type ConsumerParts, createConsumer } from './consumer.ts';

interface ListenOptions extends Omit<ConsumerParts, 'onLost'> {
  subscriber: Subscriber;
  brokerUrl: string;
}

export interface Listener {
  isConnected(): boolean;
  /** Finishes the batch at hand; what was not begun goes back to the queue. */
  stop(): Promise<void>;
}

/** Two batches at work, and one that collects meanwhile. */
const PREFETCH = 600;

/** Applies each event of the subscriber's queue exactly once; see `createConsumer` for how. */
export function listen({ subscriber, brokerUrl, log, ...parts }: ListenOptions): Listener {
  let consumer: Consumer | undefined;
  const broker: Broker = openBroker({
    url: brokerUrl,
    name: `${subscriber} listener`,
    log,
    setup: async (connection) => {
      const channel = await connection.createChannel();
      consumer = createConsumer(channel, { ...parts, log, onLost: () => broker.reconnect() });
      await channel.prefetch(PREFETCH);
      await channel.consume(queueOf(subscriber), consumer.receive);
    },
  });

  return {
    isConnected: () => broker.isConnected() && consumer?.isOpen() === true,
    async stop() {
      await consumer?.finish();
      await broker.close();
    },
  };
}
