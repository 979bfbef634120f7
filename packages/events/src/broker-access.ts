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

/**
 * RabbitMQ's permissions: regular expressions over the names of queues and exchanges, or over routing keys.
 */
export interface BrokerAccess {
  configure: string;
  write: string;
  read: string;
  topics: readonly TopicAccess[];
}

/**
 * Returns a service's permissions: it publishes its own types, and reads and declares its queue of events and
 * its dead-letter queue. A binding needs write access to the queue and read access to the exchange. RabbitMQ
 * lets a user without a topic permission use every routing key, so each user gets a topic permission for each
 * exchange.
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

/**
 * The permissions of `web`. Each replica declares a queue for live updates. RabbitMQ deletes the queue when
 * the replica's connection ends, because live updates may be lost.
 */
const listening: BrokerAccess = {
  configure: '^web\\.live\\..+$',
  write: '^web\\.live\\..+$',
  read: `^(web\\.live\\..+|${eventExchange.replace('.', '\\.')})$`,
  topics: [
    { exchange: eventExchange, write: oneOf([]), read: oneOf(typesForPages) },
    { exchange: deadExchange, write: oneOf([]), read: oneOf([]) },
  ],
};

/**
 * Returns a pattern for the names. Without names, the pattern matches only the empty name, which no queue or
 * exchange has.
 */
function oneOf(names: readonly string[]): string {
  return `^(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})$`;
}
