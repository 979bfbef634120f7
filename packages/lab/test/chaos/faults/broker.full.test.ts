import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventExchange, subscriptions } from '@plataforma/events';
import {
  createTestDatabase,
  eventually,
  type PrivateBroker,
  serviceNames,
  startPrivateBroker,
  type TestDatabase,
} from '@plataforma/testing';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { diceOf } from '../../../src/chaos/dice.ts';
import { brokerFaults } from '../../../src/chaos/faults/broker.ts';
import { execute } from '../../../src/chaos/faults/database.ts';

let dir: string;
let broker: PrivateBroker;
let database: TestDatabase;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plataforma-faults-'));
  [broker, database] = await Promise.all([startPrivateBroker(dir), createTestDatabase()]);
});

afterAll(async () => {
  await broker?.stop();
  await rm(dir, { recursive: true });
});

async function connected(): Promise<ChannelModel> {
  const connection = await connect(broker.url);
  connection.on('error', () => undefined);
  return connection;
}

const [killed, , , outOfMemory, closed, unbound, deleted] = brokerFaults(1_000);
const hasty = { ...diceOf(1), int: (from: number) => from };

test('a broker out of memory blocks publishers for a while', async () => {
  const connection = await connected();
  const channel = await connection.createConfirmChannel();
  let isBlocked = false;
  connection.on('blocked', () => {
    isBlocked = true;
  });

  const striking = outOfMemory.strike({ broker }, hasty);
  await eventually(() => {
    // The broker reports a memory alarm only to clients that publish, so the test publishes a message.
    channel.publish('', 'nobody', Buffer.from('x'));
    expect(isBlocked).toBe(true);
  });
  await striking;

  await channel.waitForConfirms();
  await connection.close();
});

test('all connections of a broker are closed', async () => {
  const connection = await connected();
  const isClosed = new Promise((resolve) => connection.on('close', resolve));

  await closed.strike({ broker });

  await isClosed;
});

/** Consumes from a queue as the services do, and declares the queue again when it was deleted. */
async function read(channel: Channel, queue: string, onLost: () => void): Promise<void> {
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.consume(queue, (message) => {
    if (message) return;
    onLost();
    void read(channel, queue, onLost);
  });
}

test('events that lose their queue bindings get them back', async () => {
  const connection = await connected();
  const channel = await connection.createConfirmChannel();
  let returned = 0;
  channel.on('return', () => {
    returned += 1;
  });
  const publish = async () => {
    channel.publish(eventExchange, 'charge.expired', Buffer.from('x'), { mandatory: true });
    await channel.waitForConfirms();
  };
  await channel.assertExchange(eventExchange, 'topic');
  for (const [subscriber, types] of Object.entries(subscriptions)) {
    const { queue } = await channel.assertQueue(`${subscriber}.events`);
    for (const type of types) await channel.bindQueue(queue, eventExchange, type);
  }

  const striking = unbound.strike({ brokerUrl: broker.url }, hasty);
  await eventually(async () => {
    await publish();
    expect(returned).toBeGreaterThan(0);
  });
  await striking;

  const before = returned;
  await publish();
  expect(returned).toBe(before);
  for (const subscriber of Object.keys(subscriptions)) await channel.deleteQueue(`${subscriber}.events`);
  await connection.close();
});

test('a deleted queue returns, and its recent events are republished', async () => {
  const connection = await connected();
  const channel = await connection.createChannel();
  let lost = 0;
  await read(channel, 'ledger.events', () => {
    lost += 1;
  });
  await execute(
    database.url,
    `CREATE TABLE outbox AS
     SELECT now() - age AS published_at, now() AS available_at
     FROM unnest(ARRAY['1 second', '1 hour']::interval[]) AS age`,
  );
  const databaseUrls = Object.fromEntries(serviceNames.map((name) => [name, database.url]));
  const isComplete = (some: typeof databaseUrls): some is Record<(typeof serviceNames)[number], string> =>
    serviceNames.every((name) => name in some);
  if (!isComplete(databaseUrls)) throw new Error('a service has no database');

  await deleted.strike(
    { brokerUrl: broker.url, platform: { databaseUrls } },
    { ...hasty, pick: (of) => of.find((one) => one === 'ledger') ?? hasty.pick(of) },
  );

  expect(lost).toBe(1);
  expect(await execute(database.url, 'SELECT published_at FROM outbox ORDER BY published_at')).toEqual([
    { published_at: expect.any(Date) },
    { published_at: null },
  ]);
  await connection.close();
});

test('a killed broker is started again', async () => {
  await killed.strike({ broker }, hasty);

  await (await connected()).close();
});
