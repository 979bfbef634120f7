import type { EventType } from './catalogue.ts';
import { pageUpdateTypes } from './page-updates.ts';
import { isProducer, typesOf } from './producers.ts';
import {
  deadExchange,
  deadQueueOf,
  eventExchange,
  isSubscriber,
  queueOf,
  subscribers,
  typesFor,
} from './topology.ts';

/** The services that log in to the broker, each as a user of its own name. */
export const brokerUsers = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks', 'web'] as const;
export type BrokerUser = (typeof brokerUsers)[number];

/** The routing keys with which a user may publish to one topic exchange, and bind queues to it. */
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

/** In bytes. The largest message of a service, with 64,000 characters, has a quarter of this size. */
export const MAX_MESSAGE_BYTES = 1_048_576;

/**
 * The limits of a user's open connections and channels, on all virtual hosts together. A replica of a service
 * has up to four connections with a few channels each. A replica of `web` has one. During a rolling update,
 * old and new replicas count together.
 */
export function limitsOf(user: BrokerUser): { 'max-connections': number; 'max-channels': number } {
  const connections = user === 'web' ? 30 : 120;
  return { 'max-connections': connections, 'max-channels': 4 * connections };
}

/**
 * The limits of a virtual host. Its queues are those of the services, and one for each connection of `web`.
 */
export const vhostLimits = {
  'max-connections': brokerUsers.reduce((sum, user) => sum + limitsOf(user)['max-connections'], 20),
  'max-queues': 2 * subscribers.length + 2 * limitsOf('web')['max-connections'],
};

/**
 * The policy for the queues of `web`, which applies even if a client declared a queue with other arguments.
 * RabbitMQ deletes a queue, even a durable one, that no client has used for a minute.
 */
export const liveQueuePolicy = {
  name: 'web-live',
  pattern: '^web\\.live\\.',
  'apply-to': 'queues',
  priority: 10,
  definition: {
    'max-length': 10_000,
    'max-length-bytes': 32 * MAX_MESSAGE_BYTES,
    overflow: 'drop-head',
    expires: 60_000,
  },
};

/**
 * The permissions of `web`, which reads live updates only. Each replica declares a queue for them. RabbitMQ
 * deletes the queue when the replica's connection ends, because live updates may be lost.
 */
const listening: BrokerAccess = {
  configure: '^web\\.live\\..+$',
  write: '^web\\.live\\..+$',
  read: `^(web\\.live\\..+|${eventExchange.replace('.', '\\.')})$`,
  topics: [
    { exchange: eventExchange, write: oneOf([]), read: oneOf(pageUpdateTypes) },
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
