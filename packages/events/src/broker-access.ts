import type { EventType } from './catalogue.ts';
import { isProducer, typesOf } from './producers.ts';
import {
  deadExchange,
  deadQueueOf,
  eventExchange,
  isSubscriber,
  queueOf,
  typesFor,
  typesForPages,
} from './topology.ts';

/** The services that log in to the broker, each as a user of its own name. */
export const brokerUsers = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks', 'web'] as const;
export type BrokerUser = (typeof brokerUsers)[number];

/** The routing keys by which a user may publish, and bind queues, at one topic exchange. */
interface TopicAccess {
  exchange: string;
  write: string;
  read: string;
}

/** As RabbitMQ takes them: each is a regular expression over names of queues and exchanges, or over routing keys. */
export interface BrokerAccess {
  configure: string;
  write: string;
  read: string;
  topics: readonly TopicAccess[];
}

/**
 * Returns a service's permissions: it publishes its own types, and reads and makes its own two queues. Queues
 * are bound by their reader, which RabbitMQ lets who may write to the queue and read from the exchange; without a topic
 * permission RabbitMQ allows every routing key, so that each user has one at each exchange.
 */
export function accessOf(user: BrokerUser): BrokerAccess {
  if (user === 'web') return listening;
  const queues = isSubscriber(user) ? [queueOf(user), deadQueueOf(user)] : [];
  const published: readonly EventType[] = isProducer(user) ? typesOf(user) : [];
  const subscribed: readonly EventType[] = isSubscriber(user) ? typesFor(user) : [];
  const dead = isSubscriber(user) ? [deadQueueOf(user)] : [];
  const exchanges = isSubscriber(user) ? [eventExchange, deadExchange] : [];
  return {
    configure: oneOf(queues),
    write: oneOf([
      ...queues,
      ...(published.length > 0 ? [eventExchange] : []),
      ...(dead.length > 0 ? [deadExchange] : []),
    ]),
    read: oneOf([...queues, ...exchanges]),
    topics: [
      { exchange: eventExchange, write: oneOf(published), read: oneOf(subscribed) },
      { exchange: deadExchange, write: oneOf(dead), read: oneOf(dead) },
    ],
  };
}

/** Queues of a replica that pushes changes to browsers: they go with its connection, and to miss one costs nothing. */
const listening: BrokerAccess = {
  configure: '^web\\.live\\..+$',
  write: '^web\\.live\\..+$',
  read: `^(web\\.live\\..+|${eventExchange.replace('.', '\\.')})$`,
  topics: [
    { exchange: eventExchange, write: oneOf([]), read: oneOf(typesForPages) },
    { exchange: deadExchange, write: oneOf([]), read: oneOf([]) },
  ],
};

/** Without names it matches only the empty name, which nothing has. */
function oneOf(names: readonly string[]): string {
  return `^(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})$`;
}
