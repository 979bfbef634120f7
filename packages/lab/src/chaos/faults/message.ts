import { setTimeout as sleep } from 'node:timers/promises';
import { eventExchange, queueOf, type Subscriber, subscriptions } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { eventually, type Platform, type ServiceName, signedHeaders, signerOf } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';
import { breakFor } from './broken.ts';
import { withBroker } from './broker.ts';
import { execute } from './database.ts';
import type { Fault, Struck } from './fault.ts';
import { readers } from './readers.ts';

export type Queues = Pick<World, 'brokerUrl' | 'poison' | 'signers'>;
export type Events = Pick<World, 'brokerUrl' | 'signers'> & { platform: Pick<Platform, 'databaseUrls'> };

export interface Message {
  exchange: string;
  key: string;
  body: string;
  headers: Record<string, string>;
}

const group = 'message';
const emitters = ['gateway', 'charges', 'withdrawals'] as const;
export const LONG_WAIT = { timeoutMs: 120_000, intervalMs: 250 };
/** A valid ISO 8601 date that PostgreSQL does not accept. */
const NEVER = '0000-01-01T00:00:00.000Z';

/**
 * Returns the headers with the producer's signature. For an invalid event, the headers contain no signature.
 */
const signedBy = ({ signers }: Pick<World, 'signers'>, body: string) =>
  signedHeaders(body, signerOf(signers));

/** Publishes the messages with short pauses, so that other messages are published in between. */
export async function publish(url: string, messages: readonly Message[]): Promise<void> {
  const options = { persistent: true, contentType: 'application/json' };
  await eventually(
    () =>
      withBroker(url, async (connection) => {
        const channel = await connection.createConfirmChannel();
        for (const { exchange, key, body, headers } of messages) {
          channel.publish(exchange, key, Buffer.from(body), { ...options, headers });
          await sleep(10);
        }
        await channel.waitForConfirms();
      }),
    LONG_WAIT,
  );
}

type Recipe = (id: string, subscriber: Subscriber, dice: Dice) => string;

/** Returns the fields of an event about a merchant that does not exist. */
const envelopeOf = (id: string, dice: Dice) => ({
  ...{ id, version: 1, sequence: 1, occurredAt: new Date().toISOString(), traceparent: null },
  ...{ merchantId: dice.uuid(), environment: 'sandbox', aggregateId: dice.uuid() },
});

const unreadable: Recipe = (id) => `{"id":"${id}","type":`;

const ofUnknownType: Recipe = (id, _subscriber, dice) =>
  JSON.stringify({ ...envelopeOf(id, dice), type: 'charge.vanished', data: {} });

const inapplicable: Recipe = (id, subscriber, dice) => {
  const envelope = envelopeOf(id, dice);
  const event =
    subscriber === 'charges' || subscriber === 'withdrawals'
      ? { ...envelope, type: 'merchant.updated', environment: null, data: merchantWithoutName(envelope) }
      : { ...envelope, type: 'charge.paid', occurredAt: NEVER, data: contradictoryCharge(envelope) };
  return JSON.stringify(event);
};

/** The data of a merchant whose name is a NUL character, which PostgreSQL does not accept. */
const merchantWithoutName = ({ merchantId }: { merchantId: string }) => ({
  ...{ id: merchantId, version: 1, name: '\u0000', status: 'APPROVED', checkoutColor: '#000000' },
  ...{ pixFeeBps: 0, pixFeeFixed: 0 },
});

const contradictoryCharge = ({ aggregateId }: { aggregateId: string }) => ({
  ...{ id: aggregateId, txid: 'x'.repeat(26), externalId: 'poison', paymentMethod: 'PIX', status: 'PAID' },
  ...{ amount: 1, feeAmount: 0, netAmount: 2, paidAt: NEVER },
});

/**
 * The number of characters at the beginning of an id that contain its time. Invalid events get the current
 * time, because a service refuses any other time before it finds the invalid part.
 */
const TIME = 14;

/** Publishes invalid messages directly to a service's queue. The service must refuse them. */
export async function poison(
  world: Queues,
  { subscriber, recipe = inapplicable, dice }: { subscriber: Subscriber; recipe?: Recipe; dice: Dice },
): Promise<string> {
  const ids = Array.from({ length: dice.int(1, 5) }, () => newId().slice(0, TIME) + dice.uuid().slice(TIME));
  for (const id of ids) world.poison.add(id);
  const key = queueOf(subscriber);
  const bodies = ids.map((id) => recipe(id, subscriber, dice));
  await publish(
    world.brokerUrl,
    bodies.map((body) => ({ exchange: '', key, body, headers: signedBy(world, body) })),
  );
  return `${ids.length} in ${key}`;
}

function poisonWith(recipe: Recipe) {
  return async (world: Queues, dice: Dice): Promise<Struck> => {
    const what = await poison(world, { subscriber: dice.pick(readers), recipe, dice });
    return { what, mendedAt: Date.now() };
  };
}

const PAST = `SELECT event_id AS id, type, body FROM outbox
  WHERE published_at IS NOT NULL ORDER BY random() LIMIT 50`;
const HAD = 'SELECT event_id AS id FROM inbox';

/**
 * Publishes old events again in random order, and subscribers must ignore them. It leaves out events that a
 * subscriber has not applied, because a second copy would hide a lost event from the checker.
 */
async function republishOldEvents(world: Events): Promise<Struck> {
  const { brokerUrl, platform } = world;
  const ask = (service: ServiceName, sql: string) =>
    eventually(() => execute(platform.databaseUrls[service], sql), LONG_WAIT);
  const past = await Promise.all(emitters.map((service) => ask(service, PAST)));
  const inboxes = await Promise.all(
    readers.map(async (name) => ({ name, had: new Set((await ask(name, HAD)).map(({ id }) => id)) })),
  );
  const events = past.flat().filter(({ id, type }) => {
    const subscribed = inboxes.filter(({ name }) => subscriptions[name].some((one) => one === type));
    return subscribed.every(({ had }) => had.has(id));
  });
  await publish(
    brokerUrl,
    events.map(({ type, body }) => ({
      ...{ exchange: eventExchange, key: String(type), body: String(body) },
      headers: signedBy(world, String(body)),
    })),
  );
  return { what: `${events.length} of them`, isInVain: events.length === 0, mendedAt: Date.now() };
}

/**
 * Consumes from the queue of every service except the gateway for a while, and refuses a few valid messages.
 * They become dead letters, which operators must replay.
 */
async function setAside({ brokerUrl }: Pick<World, 'brokerUrl'>, dice: Dice): Promise<Struck> {
  const [most, ms] = [dice.int(1, 5), dice.int(1_000, 4_000)];
  let refused = 0;
  const { mendedAt, isInVain } = await breakFor({
    ...{ what: 'all queues', ms: 0 },
    breaks: () =>
      withBroker(brokerUrl, async (connection) => {
        const channel = await connection.createChannel();
        await channel.prefetch(most);
        for (const subscriber of readers) {
          let left = most;
          await channel.consume(queueOf(subscriber), (message) => {
            if (!message || left === 0) return;
            left -= 1;
            refused += 1;
            channel.reject(message, false);
          });
        }
        await sleep(ms);
      }),
    mends: () => undefined,
  });
  return { what: `${refused} of them`, isInVain: isInVain || refused === 0, mendedAt };
}

export const messageFaults = [
  { name: 'unreadable messages', group, weight: 2, strike: poisonWith(unreadable) },
  { name: 'messages of an unknown type', group, weight: 2, strike: poisonWith(ofUnknownType) },
  { name: 'events that can’t be applied', group, weight: 4, strike: poisonWith(inapplicable) },
  { name: 'events published again', group, weight: 3, strike: republishOldEvents },
  { name: 'events set aside', group, weight: 5, strike: setAside },
] as const satisfies Fault[];
