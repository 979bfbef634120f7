import { afterEach, describe, expect, test } from '@jest/globals';
import type { Database, Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { claimVhost, eventually } from '@plataforma/testing';
import { announce, listen, startRelay } from '../src/index.ts';
import {
  countOf,
  deadBodies,
  inspector,
  log,
  onChannel,
  openReplica,
  openTestDatabase,
  paidCharge,
  recordEffects,
  signer,
  startWire,
} from './fixture.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Apply = (tx: Transaction, events: DomainEvent[]) => Promise<void>;

async function startReader(brokerUrl: string, apply: Apply = recordEffects, database?: Database) {
  const own = database ?? (await openTestDatabase());
  const listener = listen({ inspector, subscriber: 'ledger', database: own, brokerUrl, log, apply });
  closing.push(
    () => own.close(),
    () => listener.stop(),
  );
  await eventually(() => expect(listener.isConnected()).toBe(true));
  return { database: own, listener };
}

async function startEmitter(brokerUrl: string) {
  const database = await openTestDatabase();
  const relay = startRelay({ signer, database, brokerUrl, name: 'test', log, pollMs: 50 });
  closing.push(
    () => database.close(),
    () => relay.stop(),
  );
  const emit = (count: number) =>
    database.transaction((tx) => announce(tx, ...Array.from({ length: count }, paidCharge)));
  const bodies = async () =>
    (await database.queryUnprepared<{ body: string }>('SELECT body FROM outbox', [])).map((r) => r.body);
  return { database, emit, bodies };
}

function publish(url: string, ...bodies: readonly string[]): Promise<void> {
  return onChannel(url, async (channel) => {
    for (const body of bodies)
      channel.publish('payments.events', 'charge.paid', Buffer.from(body), { persistent: true });
    await channel.waitForConfirms();
  });
}

describe('a listener', () => {
  test('applies each event once, in batches', async () => {
    const vhost = await claimVhost();
    const sizes: number[] = [];
    const { database } = await startReader(vhost, async (tx, events) => {
      sizes.push(events.length);
      await recordEffects(tx, events);
    });
    const { emit } = await startEmitter(vhost);

    await emit(1_000);

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(1_000));
    expect(Math.max(...sizes)).toBeGreaterThan(50);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
  });

  test('drops copies, in one batch and later', async () => {
    const vhost = await claimVhost();
    const { database } = await startReader(vhost);
    const { emit, bodies } = await startEmitter(vhost);
    await emit(3);
    await eventually(async () => expect(await countOf(database, 'effects')).toBe(3));

    const copies = await bodies();
    await publish(vhost, ...copies, ...copies, ...copies);
    await emit(1);

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(4));
    expect(await countOf(database, 'inbox')).toBe(4);
  });

  test('sets a poisonous event aside after trying it alone, and applies the others of its batch', async () => {
    const vhost = await claimVhost();
    const { emit, bodies, database: source } = await startEmitter(vhost);
    await emit(50);
    await eventually(async () =>
      expect(await countOf(source, 'outbox WHERE published_at IS NOT NULL')).toBe(50),
    );
    const poison = JSON.parse((await bodies())[20] ?? '').id;
    let tries = 0;
    const { database } = await startReader(vhost, async (tx, events) => {
      if (events.some(({ id }) => id === poison)) {
        tries += events.length === 1 ? 1 : 0;
        throw new Error('can’t digest this');
      }
      await recordEffects(tx, events);
    });

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(49));

    const dead = await eventually(async () => {
      const messages = await deadBodies(database);
      expect(messages).toHaveLength(1);
      return messages;
    });
    expect(JSON.parse(dead[0] ?? '').id).toBe(poison);
    expect(tries).toBe(3);
    expect(await countOf(database, `inbox WHERE event_id = '${poison}'`)).toBe(0);
  });

  test.each([
    ['is no JSON', '{'],
    ['is no event', '{"hello":"world"}'],
    ['is of an unknown type', JSON.stringify({ ...JSON.parse('{}'), type: 'charge.eaten' })],
  ])('sets a message aside that %s', async (_what, body) => {
    const vhost = await claimVhost();
    const { database } = await startReader(vhost);
    const { emit } = await startEmitter(vhost);

    await publish(vhost, body);
    await emit(1);

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(1));
    await eventually(async () => expect(await deadBodies(database)).toEqual([body]));
  });

  test('that lost its connection between commit and acknowledgement applies nothing twice', async () => {
    const vhost = await claimVhost();
    const wire = await startWire(vhost);
    closing.push(wire.stop);
    let applied = 0;
    const { database } = await startReader(wire.url, async (tx, events) => {
      await recordEffects(tx, events);
      applied += 1;
      if (applied === 1) wire.cut();
    });
    const { emit } = await startEmitter(vhost);

    await emit(10);
    await eventually(async () => expect(await countOf(database, 'effects')).toBe(10));
    await emit(1);

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(11));
  });

  test('goes on when its queue was deleted', async () => {
    const vhost = await claimVhost();
    const { database } = await startReader(vhost);
    const { emit } = await startEmitter(vhost);
    await emit(1);
    await eventually(async () => expect(await countOf(database, 'effects')).toBe(1));

    await onChannel(vhost, (channel) => channel.deleteQueue('ledger.events'));

    await eventually(async () => {
      const { consumerCount } = await onChannel(vhost, (channel) => channel.checkQueue('ledger.events'));
      expect(consumerCount).toBe(1);
    });
    await emit(1);
    await eventually(async () => expect(await countOf(database, 'effects')).toBe(2));
  });

  test('that gives an older batch up loses nothing of it by acknowledging a younger one', async () => {
    const vhost = await claimVhost();
    const { emit, bodies, database: source } = await startEmitter(vhost);
    await emit(400);
    await eventually(async () =>
      expect(await countOf(source, 'outbox WHERE published_at IS NOT NULL')).toBe(400),
    );
    const [first] = (await bodies()).map((body) => JSON.parse(body).id).sort();
    const stopped = Promise.withResolvers<void>();
    const begun = new Set<'older' | 'younger'>();
    const { database, listener } = await startReader(vhost, async (tx, events) => {
      const which = events.some(({ id }) => id === first) ? 'older' : 'younger';
      begun.add(which);
      // As if the database were away: it is tried again until the listener is told to stop.
      if (which === 'older') throw Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
      await stopped.promise;
      await recordEffects(tx, events);
    });
    await eventually(() => expect(begun.size).toBe(2));

    const stopping = listener.stop();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    stopped.resolve();
    await stopping;
    expect(await countOf(database, 'effects')).toBe(200);
    await startReader(vhost, recordEffects, openReplica(database));

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(400));
  });

  test('that is stopped while a younger batch waits for an older one has both acknowledged', async () => {
    const vhost = await claimVhost();
    const { emit, bodies, database: source } = await startEmitter(vhost);
    await emit(500);
    await eventually(async () =>
      expect(await countOf(source, 'outbox WHERE published_at IS NOT NULL')).toBe(500),
    );
    const [first] = (await bodies()).map((body) => JSON.parse(body).id).sort();
    const stopped = Promise.withResolvers<void>();
    const youngerEnded = Promise.withResolvers<void>();
    const begun = new Set<'older' | 'younger'>();
    const { database, listener } = await startReader(vhost, async (tx, events) => {
      const which = events.some(({ id }) => id === first) ? 'older' : 'younger';
      begun.add(which);
      await stopped.promise;
      if (which === 'older') await youngerEnded.promise;
      await recordEffects(tx, events);
    });
    await eventually(() => expect(begun.size).toBe(2));

    const stopping = listener.stop();
    stopped.resolve();
    await eventually(async () => expect(await countOf(database, 'effects')).toBe(200));
    youngerEnded.resolve();
    await stopping;

    const done = await countOf(database, 'effects');
    await eventually(async () => {
      const { messageCount } = await onChannel(vhost, (channel) => channel.checkQueue('ledger.events'));
      expect(messageCount).toBe(500 - done);
    });
    expect(done).toBeGreaterThan(200);
  });

  test('shares its queue with a replica, and each effect happens once', async () => {
    const vhost = await claimVhost();
    const { database } = await startReader(vhost);
    const replica = openReplica(database);
    await startReader(vhost, recordEffects, replica);
    const { emit, bodies } = await startEmitter(vhost);

    for (let n = 0; n < 20; n += 1) await emit(20);
    const copies = await bodies();
    await publish(vhost, ...copies);

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(400));
    await emit(1);
    await eventually(async () => expect(await countOf(database, 'effects')).toBe(401));
  });

  test('that is stopped finishes its batch and leaves the rest to the next one', async () => {
    const vhost = await claimVhost();
    const { emit, database: source } = await startEmitter(vhost);
    const begun = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const held: Apply = async (tx, events) => {
      begun.resolve();
      await stopped.promise;
      await recordEffects(tx, events);
    };
    const { database, listener } = await startReader(vhost, held);
    await emit(500);
    await eventually(async () =>
      expect(await countOf(source, 'outbox WHERE published_at IS NOT NULL')).toBe(500),
    );

    await begun.promise;
    const stopping = listener.stop();
    stopped.resolve();
    await stopping;
    const done = await countOf(database, 'effects');
    // What it has finished does not come again.
    await eventually(async () => {
      const { messageCount } = await onChannel(vhost, (channel) => channel.checkQueue('ledger.events'));
      expect(messageCount).toBe(500 - done);
    });
    const next = openReplica(database);
    await startReader(vhost, recordEffects, next);

    await eventually(async () => expect(await countOf(next, 'effects')).toBe(500));
    expect(done).toBeLessThan(500);
  });
});
