import { createHmac } from 'node:crypto';
import {
  accessOf,
  type BrokerUser,
  brokerUsers,
  deadExchange,
  eventExchange,
  limitsOf,
  liveQueuePolicy,
  queuesOf,
  subscribers,
  vhostLimits,
} from '@plataforma/events';

/**
 * The name of RabbitMQ's administrator, which set-up and the fault tests use. No service has the
 * administrator's password.
 */
const ADMINISTRATOR = 'plataforma';

export const brokerUrl = (host: string, password: string) => `amqp://${ADMINISTRATOR}:${password}@${host}`;

/**
 * Derives a user's password from the administrator's password with HMAC, so that only the administrator's
 * password is stored. A user's password does not reveal the administrator's password.
 */
function passwordOf(user: BrokerUser, administrators: string): string {
  return createHmac('sha256', administrators).update(`broker user ${user}`).digest('base64url');
}

/**
 * Returns the administrator's URL with the name and the password of a service's user; the virtual host stays
 * the same.
 */
export function urlOfBrokerUser(user: BrokerUser, administratorsUrl: string): string {
  const url = new URL(administratorsUrl);
  const password = passwordOf(user, decodeURIComponent(url.password));
  return Object.assign(url, { username: user, password }).href;
}

export function isBrokerUser(name: string): name is BrokerUser {
  return brokerUsers.some((user) => user === name);
}

interface DefinitionOptions {
  /** The number of virtual hosts in addition to `/`. Their names are v0, v1, …. */
  vhosts: number;
  /** True if the definitions also contain the exchanges, queues and bindings of the virtual host `/`. */
  withTopology: boolean;
}

const limitsIn = (vhost: string) => ({
  ...{ vhost, component: 'vhost-limits', name: 'limits', value: vhostLimits },
});
const policyIn = (vhost: string) => ({ vhost, ...liveQueuePolicy });

/**
 * Returns the definitions that RabbitMQ imports at each start: an administrator, a user for each service,
 * their permissions and limits, and the virtual hosts.
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
      ...brokerUsers.map((user) => ({
        ...{ name: user, password: passwordOf(user, password), tags: '', limits: limitsOf(user) },
      })),
    ],
    vhosts: names.map((name) => ({ name })),
    permissions: names.flatMap((vhost) => [
      { user: ADMINISTRATOR, vhost, configure: '.*', write: '.*', read: '.*' },
      ...services.map(({ topics: _, ...access }) => ({ vhost, ...access })),
    ]),
    topic_permissions: names.flatMap((vhost) =>
      services.flatMap(({ user, topics }) => topics.map((topic) => ({ user, vhost, ...topic }))),
    ),
    parameters: names.map(limitsIn),
    policies: names.map(policyIn),
    ...(withTopology && topology('/')),
  });
}

/**
 * Returns the permissions and limits of each user, and the limits, exchanges and queues of `/`, for set-ups
 * that choose the users' passwords themselves.
 */
export function brokerPlan() {
  const users = Object.fromEntries(
    brokerUsers.map((user) => [user, { ...accessOf(user), limits: limitsOf(user) }]),
  );
  return { users, topology: { parameters: [limitsIn('/')], policies: [policyIn('/')], ...topology('/') } };
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
