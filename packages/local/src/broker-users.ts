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

/** The administrator: set-up and the fault suite; no service has its password. */
const ADMINISTRATOR = 'plataforma';

export const brokerUrl = (host: string, password: string) => `amqp://${ADMINISTRATOR}:${password}@${host}`;

/** Follows from the administrator's, and does not tell it: nothing more is to be kept. */
function passwordOf(user: BrokerUser, administrators: string): string {
  return createHmac('sha256', administrators).update(`broker user ${user}`).digest('base64url');
}

/** The same broker and virtual host, for one of the services. */
export function urlOfBrokerUser(user: BrokerUser, administratorsUrl: string): string {
  const url = new URL(administratorsUrl);
  const password = passwordOf(user, decodeURIComponent(url.password));
  return Object.assign(url, { username: user, password }).href;
}

export function isBrokerUser(name: string): name is BrokerUser {
  return brokerUsers.some((user) => user === name);
}

interface DefinitionOptions {
  /** Virtual hosts beside `/`, named v0, v1, … */
  vhosts: number;
  /** Makes exchanges, queues and bindings in `/` as well. */
  withTopology: boolean;
}

/** Returns the users that RabbitMQ imports at each start: an administrator, and one for each service. */
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

/** For set-ups that make the users' passwords themselves: what each user may do, and what RabbitMQ makes, in `/`. */
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
