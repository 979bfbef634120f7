import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type BrokerUser,
  brokerUsers,
  deadQueueOf,
  eventExchange,
  pageUpdateTypes,
  producerOf,
  queueOf,
  subscribers,
  typesFor,
} from '@plataforma/events';
import { claimVhost } from '@plataforma/testing';
import { type Channel, type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { urlOfBrokerUser } from '../src/broker-users.ts';

let vhost: string;
const logins = new Map<BrokerUser, ChannelModel>();

beforeAll(async () => {
  vhost = await claimVhost();
  for (const user of brokerUsers) {
    const login = await connect(urlOfBrokerUser(user, vhost));
    login.on('error', () => undefined);
    logins.set(user, login);
  }
});
afterAll(async () => {
  for (const login of logins.values()) await login.close();
});

const types = [...new Set([...subscribers.flatMap((name) => [...typesFor(name)]), ...pageUpdateTypes])];

/** Runs `work` as the broker user. Returns the broker's error if it refuses the work, otherwise null. */
async function refusal(
  user: BrokerUser,
  work: (channel: ConfirmChannel) => Promise<unknown>,
): Promise<string | null> {
  const login = logins.get(user);
  if (!login) throw new Error(`${user} is not logged in`);
  const channel = await login.createConfirmChannel();
  const { promise: broken, reject } = Promise.withResolvers<never>();
  channel.on('error', reject);
  broken.catch(() => undefined);
  try {
    await Promise.race([work(channel), broken]);
    await channel.close();
    return null;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return /ACCESS_REFUSED/.test(said) ? 'ACCESS_REFUSED' : said;
  }
}

function publish(channel: ConfirmChannel, exchange: string, routingKey: string): Promise<void> {
  channel.publish(exchange, routingKey, Buffer.from('{}'));
  return channel.waitForConfirms();
}

describe.each(brokerUsers)('at the broker, %s', (user) => {
  test('publishes only the event types of its service', async () => {
    const own = types.filter((type) => producerOf(type) === user);
    const outcomes = await Promise.all(
      types.map(async (type) => ({
        type,
        said: await refusal(user, (channel) => publish(channel, eventExchange, type)),
      })),
    );

    expect(outcomes.filter(({ said }) => said === null).map(({ type }) => type)).toEqual(own);
    expect(outcomes.filter(({ said }) => said === 'ACCESS_REFUSED')).toHaveLength(types.length - own.length);
  });

  test('publishes nothing directly into a queue', async () => {
    const queues = subscribers.flatMap((name) => [queueOf(name), deadQueueOf(name)]);

    const said = await Promise.all(
      queues.map((queue) => refusal(user, (channel) => publish(channel, '', queue))),
    );

    expect(said).toEqual(queues.map(() => 'ACCESS_REFUSED'));
  });

  test('reads its own queues only', async () => {
    const read = (queue: string) => (channel: Channel) => channel.get(queue, { noAck: false });
    const outcomes = await Promise.all(
      subscribers.flatMap((name) =>
        [queueOf(name), deadQueueOf(name)].map(async (queue) => [name, await refusal(user, read(queue))]),
      ),
    );

    for (const [name, said] of outcomes) expect(said).toBe(name === user ? null : 'ACCESS_REFUSED');
  });

  test('creates, binds and deletes nothing beyond its own queues', async () => {
    const others = subscribers.filter((name) => name !== user);
    const foreign = types.filter((type) => !subscribes(user, type));
    const attempts: ((channel: Channel) => Promise<unknown>)[] = [
      (channel) => channel.assertQueue('mine'),
      (channel) => channel.assertExchange('mine', 'topic'),
      (channel) => channel.deleteExchange(eventExchange),
      ...others.map((name) => (channel: Channel) => channel.deleteQueue(queueOf(name))),
      ...others.map((name) => (channel: Channel) => channel.purgeQueue(queueOf(name))),
      ...foreign.map(
        (type) => (channel: Channel) => channel.bindQueue(`${user}.events`, eventExchange, type),
      ),
      (channel) => channel.bindQueue(`${user}.events`, eventExchange, '#'),
    ];

    const said = await Promise.all(attempts.map((attempt) => refusal(user, attempt)));

    const missing = 'Operation failed: QueueBind; 404 (NOT-FOUND)';
    for (const each of said)
      expect(each?.startsWith(missing) ? 'ACCESS_REFUSED' : each).toBe('ACCESS_REFUSED');
  });
});

function subscribes(user: BrokerUser, type: string): boolean {
  return subscribers.some((name) => name === user && typesFor(name).some((one) => one === type));
}

test('web reads live updates, and no event of a service', async () => {
  const bind = (type: string) =>
    refusal('web', async (channel) => {
      const { queue } = await channel.assertQueue(`web.live.${type}`, { exclusive: true, autoDelete: true });
      await channel.bindQueue(queue, eventExchange, type);
    });

  const said = await Promise.all(types.map(async (type) => ({ type, said: await bind(type) })));

  expect(said.filter((each) => each.said === null).map(({ type }) => type)).toEqual(pageUpdateTypes);
});
