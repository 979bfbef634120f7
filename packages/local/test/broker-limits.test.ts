import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  type BrokerUser,
  limitsOf,
  liveQueuePolicy,
  MAX_MESSAGE_BYTES,
  subscribers,
  vhostLimits,
} from '@plataforma/events';
import { scratchFolders } from '@plataforma/testing/scratch';
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { urlOfBrokerUser } from '../src/broker-users.ts';
import { prepareRabbitmq, startPrivateBroker } from '../src/index.ts';

const scratchDir = scratchFolders();

let broker: Awaited<ReturnType<typeof startPrivateBroker>>;
const open: ChannelModel[] = [];

beforeAll(async () => {
  broker = await startPrivateBroker(scratchDir());
  await prepareRabbitmq(broker.url);
}, 300_000);
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close().catch(() => undefined)));
});
afterAll(() => broker.kill());

async function logIn(user: BrokerUser): Promise<ChannelModel> {
  const connection = await connect(urlOfBrokerUser(user, broker.url));
  connection.on('error', () => undefined);
  open.push(connection);
  return connection;
}

async function channelOf(user: BrokerUser): Promise<ConfirmChannel> {
  const channel = await (await logIn(user)).createConfirmChannel();
  channel.on('error', () => undefined);
  return channel;
}

/**
 * Repeats `work` until the broker refuses it, and returns the number of successes. Fails if the broker
 * refuses none of `most` attempts.
 */
async function successesOf(work: (number: number) => Promise<unknown>, most: number, refusal: RegExp) {
  for (let number = 0; number < most; number += 1) {
    const error = await work(number).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error === null) continue;
    expect(String(error)).toMatch(refusal);
    return number;
  }
  throw new Error(`the broker refused none of ${most}`);
}

/** The number of attempts beyond a limit that may succeed, because the broker counts with a delay. */
const LATE = 10;

test('web opens no more connections than its limit', async () => {
  const { 'max-connections': most } = limitsOf('web');

  const opened = await successesOf(() => logIn('web'), most + LATE, /ConnectionClose/);

  expect(opened).toBeGreaterThanOrEqual(most);
  await logIn('ledger');
});

test('web opens no more channels than its limit', async () => {
  const { 'max-channels': most } = limitsOf('web');
  const connection = await logIn('web');

  const opened = await successesOf(() => connection.createChannel(), most + LATE, /channel|closed/i);

  expect(opened).toBeGreaterThanOrEqual(most);
});

test('a message above the limit is refused, also beside web’s own exchange', async () => {
  const channel = await channelOf('web');
  await channel.assertExchange('web.live.own', 'fanout', { durable: false });
  const send = (bytes: number) =>
    new Promise<void>((resolve, reject) => {
      channel.on('error', reject);
      channel.publish('web.live.own', '', Buffer.alloc(bytes), {}, (error) => {
        if (!error) resolve();
      });
    });
  await send(MAX_MESSAGE_BYTES);

  await expect(send(MAX_MESSAGE_BYTES + 1)).rejects.toThrow(/PRECONDITION_FAILED.*message size/i);
});

test('a queue of web keeps its newest messages only, however it was declared', async () => {
  const channel = await channelOf('web');
  const most = liveQueuePolicy.definition['max-length'];
  await channel.assertExchange('web.live.own', 'fanout', { durable: false });
  await channel.assertQueue('web.live.long', { durable: true });
  await channel.bindQueue('web.live.long', 'web.live.own', '');

  for (let number = 0; number < most + 500; number += 1)
    channel.publish('web.live.own', '', Buffer.from(String(number)));
  await channel.waitForConfirms();

  expect(await channel.checkQueue('web.live.long')).toMatchObject({ messageCount: most });
});

test('web creates no more queues than its limit, and services keep theirs', async () => {
  const channel = await channelOf('web');
  const create = (number: number) => channel.assertQueue(`web.live.${number}`, { durable: true });

  const created = await successesOf(create, vhostLimits['max-queues'], /queue limit/);

  expect(created).toBeLessThanOrEqual(vhostLimits['max-queues'] - 2 * subscribers.length);
  const ofLedger = await channelOf('ledger');
  await ofLedger.assertQueue('ledger.dead', { durable: true, arguments: { 'x-queue-type': 'quorum' } });
});

test('the broker deletes unused queues of web after a minute', async () => {
  const policies = await broker.control('list_policies', '--formatter', 'json');

  expect(JSON.parse(policies)).toEqual([
    expect.objectContaining({ pattern: liveQueuePolicy.pattern, 'apply-to': 'queues' }),
  ]);
  expect(policies).toContain('expires');
});
