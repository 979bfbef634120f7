import { setTimeout as sleep } from 'node:timers/promises';
import { eventExchange, producers, queueOf, type Subscriber, subscriptions } from '@plataforma/events';
import { eventually, type Platform } from '@plataforma/testing';
import { type ChannelModel, connect } from 'amqplib';
import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';
import { breakFor } from './broken.ts';
import { execute } from './database.ts';
import type { Fault } from './fault.ts';
import { readers } from './readers.ts';

type Brokers = Pick<World, 'broker'>;
type Queues = Pick<World, 'brokerUrl'> & { platform: Pick<Platform, 'databaseUrls'> };

const group = 'broker';
const LONG_WAIT = { timeoutMs: 120_000, intervalMs: 250 };
/** The memory limit with which the broker starts. */
const ENOUGH_MEMORY = '1GiB';
/**
 * RabbitMQ 3.10 loses a quorum queue if the broker is killed within this time after the queue was declared.
 */
const QUEUE_STABLE_MS = 5_000;

function away({ broker }: Brokers, { how, ms }: { how: 'kill' | 'stop'; ms: number }) {
  return breakFor({
    ...{ what: `broker gone for ${ms} ms`, ms },
    breaks: () => broker[how](),
    mends: () => eventually(() => broker.start(), LONG_WAIT),
  });
}

/** Raises the broker's memory alarm. The broker then accepts no messages and sends no confirms. */
function raiseAlarm({ broker }: Brokers, ms: number) {
  const allow = (memory: string) => broker.control('set_vm_memory_high_watermark', 'absolute', memory);
  return breakFor({
    ...{ what: `memory alarm for ${ms} ms`, ms },
    breaks: () => allow('1'),
    mends: () => eventually(() => allow(ENOUGH_MEMORY), LONG_WAIT),
  });
}

/**
 * Deletes a queue with its messages. New messages for the queue are also lost until a service declares it
 * again. Then all outboxes publish their recent messages again (docs/operate/restore.md).
 */
async function deleteQueue({ brokerUrl, platform }: Queues, subscriber: Subscriber) {
  const queue = queueOf(subscriber);
  const statement = republishSince(new Date(Date.now() - IN_QUEUES_MS));
  return breakFor({
    ...{ what: queue, ms: 0 },
    breaks: () =>
      withBroker(brokerUrl, async (connection) => {
        await (await connection.createChannel()).deleteQueue(queue);
      }),
    async mends() {
      await eventually(() => requireReader(brokerUrl, queue), LONG_WAIT);
      for (const service of producers)
        await eventually(() => execute(platform.databaseUrls[service], statement), LONG_WAIT);
      await sleep(QUEUE_STABLE_MS);
    },
  });
}

/**
 * The outboxes publish the messages of the last minute again, because no message waits longer in a queue. A
 * longer period would also restore messages that another fault lost, and hide that loss from the checks.
 */
const IN_QUEUES_MS = 60_000;

const republishSince = (at: Date) => `
  UPDATE outbox SET published_at = NULL, available_at = now() WHERE published_at >= '${at.toISOString()}'`;

async function requireReader(brokerUrl: string, queue: string): Promise<void> {
  await withBroker(brokerUrl, async (connection) => {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    const { consumerCount } = await channel.checkQueue(queue);
    if (consumerCount === 0) throw new Error(`no consumer reads ${queue}`);
  });
}

export async function withBroker(
  url: string,
  work: (connection: ChannelModel) => Promise<void>,
): Promise<void> {
  const connection = await connect(url, { timeout: 5_000 });
  connection.on('error', () => undefined);
  try {
    await work(connection);
  } finally {
    await connection.close().catch(() => undefined);
  }
}

/**
 * Event types that only one service subscribes to. With two subscribers, the broker accepts an event although
 * one binding is missing, because the other queue receives it.
 */
const onlyReaders = readers.flatMap((subscriber) => {
  const others = readers.filter((name) => name !== subscriber);
  const subscribedElsewhere = new Set<string>(others.flatMap((name) => subscriptions[name]));
  const types: readonly string[] = subscriptions[subscriber];
  return types
    .filter((type) => !subscribedElsewhere.has(type))
    .map((type) => ({ queue: queueOf(subscriber), type }));
});

/** Removes bindings for a while. The affected events have no queue, so they must wait in their outboxes. */
function unbind({ brokerUrl }: Pick<World, 'brokerUrl'>, ms: number) {
  const onChannel = (change: 'bindQueue' | 'unbindQueue') =>
    withBroker(brokerUrl, async (connection) => {
      const channel = await connection.createChannel();
      for (const { queue, type } of onlyReaders) await channel[change](queue, eventExchange, type);
    });
  return breakFor({
    ...{ what: `${onlyReaders.length} of them for ${ms} ms`, ms },
    breaks: () => onChannel('unbindQueue'),
    mends: () => eventually(() => onChannel('bindQueue'), LONG_WAIT),
  });
}

/** Returns the faults of the broker. `awayMs` is the duration of its long outage. */
export function brokerFaults(awayMs: number) {
  return [
    {
      ...{ name: 'broker killed', group, weight: 3 },
      strike: (world: Brokers, dice: Dice) => away(world, { how: 'kill', ms: dice.int(0, 5_000) }),
    },
    {
      ...{ name: 'broker restarted', group, weight: 2 },
      strike: (world: Brokers, dice: Dice) => away(world, { how: 'stop', ms: dice.int(0, 5_000) }),
    },
    {
      ...{ name: 'broker away for long', group, weight: 1 },
      strike: (world: Brokers) => away(world, { how: 'kill', ms: awayMs }),
    },
    {
      ...{ name: 'broker out of memory', group, weight: 3 },
      // Some of these alarms last longer than a publisher waits for the broker's confirmation.
      strike: (world: Brokers, dice: Dice) => raiseAlarm(world, dice.int(2_000, 15_000)),
    },
    {
      ...{ name: 'connections closed by the broker', group, weight: 2 },
      strike: ({ broker }: Brokers) =>
        breakFor({
          ...{ what: 'all of them', ms: 0 },
          breaks: () => broker.control('close_all_connections', 'chaos'),
          mends: () => undefined,
        }),
    },
    {
      ...{ name: 'bindings lost', group, weight: 3 },
      strike: (world: Pick<World, 'brokerUrl'>, dice: Dice) => unbind(world, dice.int(3_000, 10_000)),
    },
    {
      ...{ name: 'queue deleted', group, weight: 2 },
      strike: (world: Queues, dice: Dice) => deleteQueue(world, dice.pick(readers)),
    },
  ] as const satisfies Fault[];
}
