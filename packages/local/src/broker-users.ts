import { createHmac } from 'node:crypto';
import {
  accessOf,
  type BrokerUser,
  brokerUsers,
  deadExchange,
  eventExchange,
  queuesOf,
  subscribers,
} from '@plataforma/events';

/** The administrator for set-up and the fault suite; no service has its password. */
const ADMINISTRATOR = 'plataforma';

export const brokerUrl = (host: string, password: string) => `amqp://${ADMINISTRATOR}:${password}@${host}`;

/**
 * Derives a user's password from the administrator's by HMAC, so that no further password is stored. It does
 * not reveal the administrator's.
 */
function passwordOf(user: BrokerUser, administrators: string): string {
  return createHmac('sha256', administrators).update(`broker user ${user}`).digest('base64url');
}

/** Returns the URL of the same broker and virtual host for a service's user. */
export function urlOfBrokerUser(user: BrokerUser, administratorsUrl: string): string {
  const url = new URL(administratorsUrl);
  const password = passwordOf(user, decodeURIComponent(url.password));
  return Object.assign(url, { username: user, password }).href;
}

export function isBrokerUser(name: string): name is BrokerUser {
  return brokerUsers.some((user) => user === name);
}

interface DefinitionOptions {
  /** The number of virtual hosts besides `/`, named v0, v1, … */
  vhosts: number;
  /** Adds exchanges, queues and bindings in `/`. */
  withTopology: boolean;
}

/**
 * Returns the definitions that RabbitMQ imports at each start: an administrator, a user for each service,
 * their permissions and the virtual hosts.
 */
export function definitions(
  password: string,
  { vhosts, withTopology }: DefinitionOptions = { vhosts: 0, withTopology: false },
): string {
  const names = ['/', ...Array.from({ length: vhosts }, (_, index) => `v${index}`)];
  const services = brokerUsers.map((user) => ({ user, ...accessOf(user) }));
  return JSON.stringify({
    users: [
      { name: ADMINISTRATOR, password, tags: 'administrator' },
      ...brokerUsers.map((user) => ({ name: user, password: passwordOf(user, password), tags: '' })),
    ],
    vhosts: names.map((name) => ({ name })),
    permissions: names.flatMap((vhost) => [
      { user: ADMINISTRATOR, vhost, configure: '.*', write: '.*', read: '.*' },
      ...services.map(({ topics: _, ...access }) => ({ vhost, ...access })),
    ]),
    topic_permissions: names.flatMap((vhost) =>
      services.flatMap(({ user, topics }) => topics.map((topic) => ({ user, vhost, ...topic }))),
    ),
    ...(withTopology && topology('/')),
  });
}

/**
 * Returns the permissions of each user and the topology of `/`, for set-ups that choose the users' passwords.
 */
export function brokerPlan() {
  const users = Object.fromEntries(brokerUsers.map((user) => [user, accessOf(user)]));
  return { users, topology: topology('/') };
}

function topology(vhost: string) {
  const queues = subscribers.flatMap(queuesOf);
  return {
    exchanges: [eventExchange, deadExchange].map((name) => ({
      ...{ name, vhost, type: 'topic', durable: true, auto_delete: false, internal: false, arguments: {} },
    })),
    queues: queues.map(({ name, arguments: given }) => ({
      ...{ name, vhost, durable: true, auto_delete: false, arguments: given },
    })),
    bindings: queues.flatMap(({ name, bindings: { exchange, routingKeys } }) =>
      routingKeys.map((key) => ({
        ...{ source: exchange, vhost, destination: name, destination_type: 'queue' },
        ...{ routing_key: key, arguments: {} },
      })),
    ),
  };
}
