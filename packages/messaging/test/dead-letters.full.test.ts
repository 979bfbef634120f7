import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database, Row } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { claimVhost, eventually } from '@plataforma/testing';
import type { listen } from '../src/index.ts';
import { countBecomes, countOf, deadBodies, onChannel, publish, startWire } from './fixture.ts';
import { allLettersKept, bodyOf, deliver, readings } from './reading.ts';

const reading = readings();
let vhost: string;
let database: Database;

beforeAll(async () => {
  vhost = await claimVhost();
});
beforeEach(async () => {
  database = await reading.openDatabase();
});
afterEach(reading.close);

/**
 * Starts a listener. When it stops, it acknowledges the stored dead letters, so the next test gets none of
 * them.
 */
const startListener = (changes: Partial<Parameters<typeof listen>[0]> = {}) =>
  reading.startListener({ database, brokerUrl: vhost, ...changes });

const letters = () =>
  database.queryUnprepared<Record<string, unknown>>('SELECT * FROM dead_letters ORDER BY id', []);

/** Wraps the service's database. Calls the given functions before and after each insert of a dead letter. */
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
  test('is stored with its event, its reason and its time', async () => {
    const id = newId();
    await startListener({ apply: () => Promise.reject(new Error('can’t digest this')) });

    await publish(vhost, { body: bodyOf(id) });

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

  test('is stored unchanged when its body is no event', async () => {
    const noText = [Buffer.from('a\u0000b'), Buffer.from([0xff, 0xfe, 0x00]), Buffer.alloc(0)];
    const noId = ['{', 'null', '[]', '{"id":7}', '{"id":"7"}', '{"data":{"id":"7"}}'].map((body) =>
      Buffer.from(body),
    );
    const bodies = [...noId, ...noText];
    await startListener();

    await publish(vhost, ...bodies.map((body) => ({ body })));

    await eventually(async () => expect(await letters()).toHaveLength(bodies.length));
    expect(await letters()).toMatchObject(
      bodies.map((body) => ({ event_id: null, type: 'charge.paid', reason: 'rejected', body })),
    );
  });

  test.each<[string, object]>([
    ['of an unknown type', { type: 'charge.eaten' }],
    ['with data of another type', { data: { amount: 'much' } }],
    ['of an invalid shape', { merchantId: 7, version: 'x' }],
  ])('%s is stored apart from a valid event with that id', async (_what, changes) => {
    const id = newId();
    await startListener();

    await deliver(
      vhost,
      'ledger.dead',
      JSON.stringify({ ...JSON.parse(bodyOf(id)), ...changes }),
      bodyOf(id),
    );

    await allLettersKept(vhost, database);
    expect(await countOf(database, `dead_letters WHERE event_id = '${id}'`)).toBe(2);
  });

  test('is stored once for all copies of its event or bytes', async () => {
    const id = newId();
    await startListener();

    await deliver(vhost, 'ledger.dead', bodyOf(id), bodyOf(id), 'hello', 'hello', bodyOf(id), 'other');

    await allLettersKept(vhost, database);
    expect(await deadBodies(database)).toHaveLength(4);
  });

  test('is stored although its death headers are missing or malformed', async () => {
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

  test('waits in its queue until a listener starts', async () => {
    const first = await startListener();
    await first.stop();

    await deliver(vhost, 'ledger.dead', ...Array.from({ length: 50 }, () => bodyOf()));
    await startListener();

    await countBecomes(database, 'dead_letters', 50);
  });

  test('is stored once when the connection breaks before its acknowledgement', async () => {
    // The test has its own virtual host, so that messages that are delivered again do not reach other tests.
    vhost = await claimVhost();
    const wire = await startWire(vhost);
    reading.alsoClose(wire.stop);
    let cuts = 0;
    const dying = aroundKeeping({
      // The connection is cut between the commit and the acknowledgement.
      after: () => {
        cuts += 1;
        if (cuts <= 3) wire.cut();
      },
    });
    await startListener({ database: dying, brokerUrl: wire.url });

    await deliver(vhost, 'ledger.dead', bodyOf(), bodyOf(), 'hello');

    await eventually(() => expect(cuts).toBeGreaterThan(3));
    await allLettersKept(vhost, database);
    expect(await countOf(database, 'dead_letters')).toBe(4);
  });

  test('waits in its queue while the database refuses it', async () => {
    let failures = 0;
    const failing = aroundKeeping({
      before: () => {
        failures += 1;
        if (failures <= 3) throw new Error('no room for letters');
      },
    });
    await startListener({ database: failing });

    await deliver(vhost, 'ledger.dead', bodyOf(), 'hello');
    await deliver(vhost, 'ledger.events', bodyOf());

    await countBecomes(database, 'effects', 1);
    await countBecomes(database, 'dead_letters', 2);
  });

  test('is stored once by two replicas', async () => {
    vhost = await claimVhost();
    const replica = reading.openReplica(database);
    const listeners = [await startListener(), await startListener({ database: replica })];
    const bodies = Array.from({ length: 20 }, () => bodyOf());

    await deliver(vhost, 'ledger.dead', ...bodies, ...bodies);

    await countBecomes(database, 'dead_letters', 20);
    await Promise.all(listeners.map((listener) => listener.stop()));
    expect(await countOf(database, 'dead_letters')).toBe(20);
  });
});
