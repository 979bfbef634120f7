import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { type Announcement, type DomainEvent, eventExchange, SIGNATURE_HEADER } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { announce } from '@plataforma/tables';
import { claimVhost, eventually, testSigners } from '@plataforma/testing';
import {
  createSignaturePolicy,
  type LiveUpdate,
  type LiveUpdates,
  listen,
  startLiveUpdates,
  startRelay,
} from '../src/index.ts';
import {
  deadBodies,
  eventOf,
  keys,
  log,
  onChannel,
  openTestDatabase,
  paidCharge,
  publish,
  signer,
} from './fixture.ts';

let brokerUrl: string;
let database: Database;
let liveUpdates: LiveUpdates;
const received: DomainEvent[] = [];
const poisons = new Set<string>();
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  brokerUrl = await claimVhost();
  database = await openTestDatabase();
  liveUpdates = startLiveUpdates({ brokerUrl, name: 'charges', signer, log });
  const listener = listen({
    ...{ database, brokerUrl, log, subscriber: 'webhooks' },
    apply: async (_tx, events) => {
      if (events.some(({ aggregateId }) => poisons.has(aggregateId))) throw new Error('poison');
      received.push(...events);
    },
    signaturePolicy: createSignaturePolicy('webhooks', {
      mode: 'require',
      keys: new Map([...keys, ['withdrawals', keys.get('charges') ?? []]]),
    }),
  });
  stops.push(liveUpdates.stop, listener.stop, () => database.close());
  await eventually(() => expect(listener.isConnected()).toBe(true));
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

function cancelled(metadata: Record<string, string> = {}): LiveUpdate {
  const id = newId();
  const fields = { txid: id.replaceAll('-', ''), externalId: 'order', paymentMethod: 'PIX' as const };
  const amounts = { amount: 1_000, feeAmount: 10, netAmount: 990 };
  return {
    ...{ merchantId: newId(), environment: 'sandbox' as const, aggregateId: id, sequence: 1 },
    type: 'charge.cancelled',
    data: { id, ...fields, ...amounts, status: 'CANCELLED', paidAt: null, metadata },
  };
}

const travelling = (announcement: Announcement) => ({ ...eventOf(), ...announcement });

/** Returns the number of live updates in each message that the service publishes during `work`. */
async function sizesOfMessages(work: () => Promise<void>): Promise<number[]> {
  return onChannel(brokerUrl, async (channel) => {
    const { queue } = await channel.assertQueue('', { exclusive: true });
    await channel.bindQueue(queue, eventExchange, 'charge.cancelled');
    const sizes: number[] = [];
    await channel.consume(queue, (message) => {
      const parsed: unknown = JSON.parse(message?.content.toString() ?? 'null');
      sizes.push(Array.isArray(parsed) ? parsed.length : 1);
    });
    await work();
    return sizes;
  });
}

const timesReceived = ({ aggregateId }: LiveUpdate) =>
  received.filter((event) => event.aggregateId === aggregateId).length;

/**
 * Waits until the connection is open: an earlier live update would be lost. Sends probes until one arrives.
 */
const connected = () =>
  eventually(() => {
    const probe = cancelled();
    liveUpdates.send(probe);
    return eventually(() => expect(timesReceived(probe)).toBe(1), { timeoutMs: 500 });
  });

test('a live update arrives once, signed, without the outbox', async () => {
  await connected();
  const many = Array.from({ length: 450 }, () => cancelled());

  for (const liveUpdate of many) liveUpdates.send(liveUpdate);

  await eventually(() => expect(many.map(timesReceived)).toEqual(many.map(() => 1)));
  expect(await database.query('SELECT event_id FROM outbox')).toEqual([]);
  expect(await database.query('SELECT id FROM dead_letters')).toEqual([]);
});

test('live updates share a message; one failure stops no other', async () => {
  await connected();
  const many = Array.from({ length: 120 }, () => cancelled());
  const [, poisonous] = many;
  poisons.add(poisonous?.aggregateId ?? '');
  const sizes = await sizesOfMessages(async () => {
    for (const liveUpdate of many) liveUpdates.send(liveUpdate);
    const expected = many.map((liveUpdate) => (liveUpdate === poisonous ? 0 : 1));
    await eventually(() => expect(many.map(timesReceived)).toEqual(expected));
  });

  expect(sizes).toEqual([50, 50, 20]);
  expect(await database.query('SELECT id FROM dead_letters')).toEqual([]);
});

test('large live updates travel in smaller messages', async () => {
  await connected();
  const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`key${n}`, 'x'.repeat(500)]));
  const many = Array.from({ length: 12 }, () => cancelled(metadata));
  const sizes = await sizesOfMessages(async () => {
    for (const liveUpdate of many) liveUpdates.send(liveUpdate);
    await eventually(() => expect(many.map(timesReceived)).toEqual(many.map(() => 1)));
  });

  expect(sizes).toEqual([5, 5, 2]);
});

test('consecutive live updates are collected into few messages', async () => {
  await connected();
  const many = Array.from({ length: 100 }, () => cancelled());
  const began = performance.now();
  const sizes = await sizesOfMessages(async () => {
    for (const liveUpdate of many) {
      liveUpdates.send(liveUpdate);
      await sleep(5);
    }
    await eventually(() => expect(many.map(timesReceived)).toEqual(many.map(() => 1)));
  });

  // The service sends at most one message in 200 ms, and a few full messages in addition.
  expect(sizes.length).toBeLessThanOrEqual((performance.now() - began) / 200 + 2);
});

test.each([
  ['a fact', [travelling(cancelled()), travelling(paidCharge())]],
  ['several facts', [travelling(paidCharge()), travelling(paidCharge())]],
  ['no event', [travelling(cancelled()), {}]],
  ['nothing', []],
])('a signed batch with %s becomes a dead letter', async (_what, several) => {
  const body = Buffer.from(JSON.stringify(several));
  const [proof = ''] = testSigners.charges.sign([body]);
  await publish(brokerUrl, { key: 'charge.cancelled', body, headers: { [SIGNATURE_HEADER]: proof } });

  await eventually(async () => expect(await deadBodies(database)).toContain(body.toString()));
  expect(received.filter(({ id }) => several.some((event) => 'id' in event && event.id === id))).toEqual([]);
});

test('a live update follows the commit; a rollback sends none', async () => {
  await connected();
  const [committed, undone] = [cancelled(), cancelled()];

  await database.transaction(async (tx) => {
    liveUpdates.sendAfter(tx, committed);
    await connected();
    expect(timesReceived(committed)).toBe(0);
  });
  const failed = database.transaction(async (tx) => {
    liveUpdates.sendAfter(tx, undone);
    throw new Error('undone');
  });

  await expect(failed).rejects.toThrow('undone');
  await eventually(() => expect(timesReceived(committed)).toBe(1));
  await connected();
  expect(timesReceived(undone)).toBe(0);
});

/** Returns the live updates for pages of a merchant that are published during `work`. */
async function sentToPages(merchantId: string, work: () => Promise<void>): Promise<object[]> {
  return onChannel(brokerUrl, async (channel) => {
    const { queue } = await channel.assertQueue('', { exclusive: true });
    await channel.bindQueue(queue, eventExchange, 'live.charges');
    const bodies: { merchantId: string }[] = [];
    const own = () => bodies.filter((body) => body.merchantId === merchantId);
    await channel.consume(queue, (message) => {
      bodies.push(...[JSON.parse(message?.content.toString() ?? '[]')].flat());
    });
    await work();
    await eventually(() => expect(own()).not.toEqual([]), { timeoutMs: 2_000 });
    return own();
  });
}

const idsOnly = ({ merchantId, aggregateId }: Announcement, about: string) => ({
  ...{ id: expect.any(String), version: 1, occurredAt: expect.any(String), traceparent: null },
  ...{ type: 'live.charges', merchantId, environment: null, aggregateId, sequence: 1 },
  data: { about, environment: 'sandbox', chargeId: aggregateId, checkoutId: null },
});

test('pages get the ids and the type of a live update', async () => {
  await connected();
  const update = cancelled({ note: 'secret' });

  const bodies = await sentToPages(update.merchantId, async () => liveUpdates.send(update));

  expect(bodies).toEqual([idsOnly(update, 'charge.cancelled')]);
});

test('pages get the ids and the type of a published event', async () => {
  const relay = startRelay({ database, brokerUrl, name: 'charges', signer, log });
  stops.unshift(relay.stop);
  await eventually(() => expect(relay.isConnected()).toBe(true));

  const [paid, bodies] = await eventually(async () => {
    const event = paidCharge();
    const sent = await sentToPages(event.merchantId, () => database.transaction((tx) => announce(tx, event)));
    return [event, sent] as const;
  });

  expect(bodies).toEqual([idsOnly(paid, 'charge.paid')]);
});

test('without a broker live updates are dropped and cost little time', async () => {
  const unconnected = startLiveUpdates({ brokerUrl: 'amqp://127.0.0.1:1/', name: 'charges', signer, log });
  const many = Array.from({ length: 10_000 }, () => cancelled());

  // The test measures processor time, because a busy machine delays the process.
  const before = process.cpuUsage();
  for (const liveUpdate of many) unconnected.send(liveUpdate);
  const { user, system } = process.cpuUsage(before);
  await unconnected.stop();

  expect((user + system) / 1_000).toBeLessThan(1_000);
  expect(many.map(timesReceived).every((times) => times === 0)).toBe(true);
});
