import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database, Row, Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { claimVhost, eventually } from '@plataforma/testing';
import { listen } from '../src/index.ts';
import { pruneReceived } from '../src/prune.ts';
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
  startWire,
} from './fixture.ts';

const closing: (() => unknown)[] = [];
let vhost: string;
let database: Database;

beforeAll(async () => {
  vhost = await claimVhost();
});
beforeEach(async () => {
  database = await openTestDatabase();
  closing.push(() => database.close());
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Leaves nothing undone to the next test: what was kept is acknowledged when its listener has stopped. */
async function startListener(changes: Partial<Parameters<typeof listen>[0]> = {}) {
  const apply = (tx: Transaction, events: DomainEvent[]) => recordEffects(tx, events);
  const listener = listen({
    inspector,
    subscriber: 'ledger',
    database,
    brokerUrl: vhost,
    log,
    apply,
    ...changes,
  });
  closing.push(() => listener.stop());
  await eventually(() => expect(listener.isConnected()).toBe(true));
  return listener;
}

function bodyOf(id: string = newId()): string {
  const occurredAt = new Date().toISOString();
  return JSON.stringify({ ...paidCharge(), id, version: 1, occurredAt, traceparent: null });
}

/** Puts messages straight into a queue. */
function deliver(queue: string, ...bodies: (string | Buffer)[]): Promise<void> {
  return onChannel(vhost, async (channel) => {
    for (const body of bodies) channel.sendToQueue(queue, Buffer.from(body), { persistent: true });
    await channel.waitForConfirms();
  });
}

const letters = () =>
  database.queryUnprepared<Record<string, unknown>>('SELECT * FROM dead_letters ORDER BY id', []);

/** One listener keeps letters in their order: when this one is kept, those before it are dealt with. */
async function settled(): Promise<void> {
  await deliver('ledger.dead', 'the last one');
  await eventually(async () => expect(await deadBodies(database)).toContain('the last one'));
}

/** The service's database, in which something happens around each letter that is kept. */
function aroundKeeping(happens: { before?: () => void; after?: () => void }): Database {
  return {
    ...database,
    async query<R extends Row>(text: string, values?: readonly unknown[]) {
      const isKept = text.includes('INSERT INTO dead_letters');
      if (isKept) happens.before?.();
      const rows = await database.query<R>(text, values);
      if (isKept) happens.after?.();
      return rows;
    },
  };
}

describe('a dead letter', () => {
  test('is kept with what it was, why it died, and when', async () => {
    const id = newId();
    await startListener({ apply: () => Promise.reject(new Error('can’t digest this')) });

    await onChannel(vhost, async (channel) => {
      channel.publish('payments.events', 'charge.paid', Buffer.from(bodyOf(id)));
      await channel.waitForConfirms();
    });

    const [letter] = await eventually(async () => {
      const found = await letters();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(letter).toMatchObject({
      event_id: id,
      type: 'charge.paid',
      reason: 'rejected',
      died_at: expect.any(Date),
      replayed_at: null,
    });
    expect(await countOf(database, `dead_letters WHERE died_at > now() - interval '1 hour'`)).toBe(1);
  });

  test('that is no event is kept as it came, by what it was sent as', async () => {
    const noText = [Buffer.from('a\u0000b'), Buffer.from([0xff, 0xfe, 0x00]), Buffer.alloc(0)];
    const noId = ['{', 'null', '[]', '{"id":7}', '{"id":"7"}', '{"data":{"id":"7"}}'].map((body) =>
      Buffer.from(body),
    );
    const bodies = [...noId, ...noText];
    await startListener();

    await onChannel(vhost, async (channel) => {
      for (const body of bodies) channel.publish('payments.events', 'charge.paid', body);
      await channel.waitForConfirms();
    });

    await eventually(async () => expect(await letters()).toHaveLength(bodies.length));
    expect(await letters()).toMatchObject(
      bodies.map((body) => ({ event_id: null, type: 'charge.paid', reason: 'rejected', body })),
    );
  });

  test.each<[string, object]>([
    ['of a type that nobody knows', { type: 'charge.eaten' }],
    ['with data that are not those of its type', { data: { amount: 'much' } }],
    ['of a shape that is not ours', { merchantId: 7, version: 'x' }],
  ])('%s keeps the id it has, and is no copy of a good event with that id', async (_what, changes) => {
    const id = newId();
    await startListener();

    await deliver('ledger.dead', JSON.stringify({ ...JSON.parse(bodyOf(id)), ...changes }), bodyOf(id));

    await settled();
    expect(await countOf(database, `dead_letters WHERE event_id = '${id}'`)).toBe(2);
  });

  test('is one, however many copies of it die, by its event or by its bytes', async () => {
    const id = newId();
    await startListener();

    await deliver('ledger.dead', bodyOf(id), bodyOf(id), 'hello', 'hello', bodyOf(id), 'other');

    await settled();
    expect(await deadBodies(database)).toHaveLength(4);
  });

  test('of which nothing is known of its death is kept all the same', async () => {
    await startListener();

    await onChannel(vhost, async (channel) => {
      const odd = { 'x-death': [{ reason: 7, 'routing-keys': 'no list', time: 'never' }] };
      channel.sendToQueue('ledger.dead', Buffer.from('a'), { headers: odd });
      channel.sendToQueue('ledger.dead', Buffer.from('b'), { headers: { 'x-death': 'none' } });
      channel.sendToQueue('ledger.dead', Buffer.from('c'));
      await channel.waitForConfirms();
    });

    await eventually(async () => expect(await deadBodies(database)).toHaveLength(3));
    expect(await letters()).toMatchObject(
      Array.from({ length: 3 }, () => ({ type: null, reason: null, died_at: expect.any(Date) })),
    );
  });

  test('that died while nobody was there is kept when somebody is', async () => {
    const first = await startListener();
    await first.stop();

    await deliver('ledger.dead', ...Array.from({ length: 50 }, () => bodyOf()));
    await startListener();

    await eventually(async () => expect(await countOf(database, 'dead_letters')).toBe(50));
  });

  test('whose acknowledgement is lost with its process is listed once', async () => {
    // What is delivered again after it is of no concern to the other tests.
    vhost = await claimVhost();
    const wire = await startWire(vhost);
    closing.push(wire.stop);
    let cuts = 0;
    const dying = aroundKeeping({
      // Committed, and then nothing more comes from here.
      after: () => {
        cuts += 1;
        if (cuts <= 3) wire.cut();
      },
    });
    await startListener({ database: dying, brokerUrl: wire.url });

    await deliver('ledger.dead', bodyOf(), bodyOf(), 'hello');

    await eventually(() => expect(cuts).toBeGreaterThan(3));
    await settled();
    expect(await countOf(database, 'dead_letters')).toBe(4);
  });

  test('that can’t be kept for a while waits in its queue', async () => {
    let failures = 0;
    const failing = aroundKeeping({
      before: () => {
        failures += 1;
        if (failures <= 3) throw new Error('no room for letters');
      },
    });
    await startListener({ database: failing });

    await deliver('ledger.dead', bodyOf(), 'hello');
    await deliver('ledger.events', bodyOf());

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(1));
    await eventually(async () => expect(await countOf(database, 'dead_letters')).toBe(2));
  });

  test('is kept once by two replicas', async () => {
    vhost = await claimVhost();
    const replica = openReplica(database);
    closing.push(() => replica.close());
    const listeners = [await startListener(), await startListener({ database: replica })];
    const bodies = Array.from({ length: 20 }, () => bodyOf());

    await deliver('ledger.dead', ...bodies, ...bodies);

    await eventually(async () => expect(await countOf(database, 'dead_letters')).toBe(20));
    await Promise.all(listeners.map((listener) => listener.stop()));
    expect(await countOf(database, 'dead_letters')).toBe(20);
  });
});

describe('what a listener forgets', () => {
  const insert = (table: string, values: string) =>
    database.queryUnprepared(`INSERT INTO ${table} SELECT ${values}`, []);
  const letter = (replayedAt: string, eventId = 'NULL') =>
    insert(
      'dead_letters',
      `gen_random_uuid(), gen_random_uuid(), ${eventId}, NULL, '', NULL, now() - interval '1 year', ${replayedAt}`,
    );

  test('is letters replayed more than 90 days ago, and no others', async () => {
    await letter('NULL');
    await letter("now() - interval '89 days'");
    await letter("now() - interval '91 days'");

    await pruneReceived(database);

    expect(await countOf(database, 'dead_letters')).toBe(2);
  });

  test('is not the event of a letter that may still be replayed', async () => {
    const [waiting, replayed, none] = [newId(), newId(), newId()];
    for (const id of [waiting, replayed, none]) await insert('inbox', `'${id}', now() - interval '31 days'`);
    await letter('NULL', `'${waiting}'`);
    await letter('now()', `'${replayed}'`);

    await pruneReceived(database);

    const left = await database.queryUnprepared('SELECT event_id FROM inbox', []);
    expect(left).toEqual([{ event_id: waiting }]);
  });

  test('is not the event of a letter that can’t be read, when a copy of it has had its effect', async () => {
    const id = newId();
    await insert('inbox', `'${id}', now() - interval '31 days'`);
    await startListener();
    await deliver('ledger.dead', bodyOf(id).replace('charge.paid', 'charge.eaten'));
    await settled();

    await pruneReceived(database);

    expect(await countOf(database, `inbox WHERE event_id = '${id}'`)).toBe(1);
  });
});
