import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { deadQueueOf, eventExchange, queueOf, subscriptions } from '@plataforma/events';
import { claimVhost, eventually, urlOfBrokerUser } from '@plataforma/testing';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { declareQueues, declareTopology } from '../src/declare-topology.ts';

const [queue, dead] = [queueOf('ledger'), deadQueueOf('ledger')];
const [type] = subscriptions.ledger;
let administrator: ChannelModel;
let ledger: ChannelModel;
let channel: Channel;

beforeAll(async () => {
  const vhost = await claimVhost({ isBare: true });
  administrator = await connect(vhost);
  ledger = await connect(urlOfBrokerUser('ledger', vhost));
});
beforeEach(async () => {
  channel = await administrator.createChannel();
  await channel.deleteQueue(queue);
  await channel.deleteQueue(dead);
});
afterAll(async () => {
  await ledger.close();
  await administrator.close();
});

async function publish(): Promise<void> {
  const confirming = await administrator.createConfirmChannel();
  confirming.publish(eventExchange, type, Buffer.from('{}'));
  await confirming.waitForConfirms();
}

/** Rejects the message in the queue, and waits until the message is a dead letter. */
async function refuse(): Promise<void> {
  await eventually(async () => {
    const message = await channel.get(queue);
    if (!message) throw new Error('nothing is in the queue');
    channel.reject(message, false);
  });
  await eventually(async () => {
    expect(await channel.get(dead, { noAck: true })).not.toBe(false);
  });
}

test('a service’s own login creates and binds its deleted queue', async () => {
  await declareTopology(administrator);
  await channel.deleteQueue(queue);
  await channel.deleteQueue(dead);

  await declareQueues(ledger, 'ledger');
  await publish();

  await refuse();
});

test('a queue of an older release stays in use unchanged', async () => {
  await channel.assertExchange(eventExchange, 'topic', { durable: true });
  await channel.assertQueue(dead, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  const older = {
    'x-queue-type': 'quorum',
    'x-delivery-limit': 20,
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': dead,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
  await channel.assertQueue(queue, { durable: true, arguments: older });

  await declareTopology(administrator);
  await declareQueues(ledger, 'ledger');
  await publish();

  await refuse();
  // Declares the queue with other arguments, as a running replica of an older release does.
  await channel.assertQueue(queue, { durable: true, arguments: older });
});

test('concurrent replicas create one queue', async () => {
  await declareTopology(administrator);
  await channel.deleteQueue(queue);

  await Promise.all(Array.from({ length: 5 }, () => declareQueues(ledger, 'ledger')));
  await publish();

  await refuse();
});
