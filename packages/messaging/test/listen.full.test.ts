import { afterEach, describe, expect, test } from '@jest/globals';
import { claimVhost, eventually } from '@plataforma/testing';
import {
  countBecomes,
  countOf,
  deadBodies,
  onChannel,
  publish,
  recordEffects,
  startWire,
} from './fixture.ts';
import { readings } from './reading.ts';

const reading = readings();
afterEach(reading.close);

describe('a listener', () => {
  test('applies each event once, in batches', async () => {
    const vhost = await claimVhost();
    const sizes: number[] = [];
    const { database } = await reading.startReader(vhost, async (tx, events) => {
      sizes.push(events.length);
      await recordEffects(tx, events);
    });
    const { emit } = await reading.startEmitter(vhost);

    await emit(1_000);

    await countBecomes(database, 'effects', 1_000);
    expect(Math.max(...sizes)).toBeGreaterThan(50);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
  });

  test('makes a failing event a dead letter and applies the others', async () => {
    const vhost = await claimVhost();
    const { emit, bodies, published } = await reading.startEmitter(vhost);
    await emit(50);
    await published(50);
    const poison = JSON.parse((await bodies())[20] ?? '').id;
    let tries = 0;
    const { database } = await reading.startReader(vhost, async (tx, events) => {
      if (events.some(({ id }) => id === poison)) {
        tries += events.length === 1 ? 1 : 0;
        throw new Error('can’t digest this');
      }
      await recordEffects(tx, events);
    });

    await countBecomes(database, 'effects', 49);

    const dead = await eventually(async () => {
      const messages = await deadBodies(database);
      expect(messages).toHaveLength(1);
      return messages;
    });
    expect(JSON.parse(dead[0] ?? '').id).toBe(poison);
    expect(tries).toBe(3);
    expect(await countOf(database, `inbox WHERE event_id = '${poison}'`)).toBe(0);
  });

  test('applies nothing twice after losing its connection before an acknowledgement', async () => {
    const vhost = await claimVhost();
    const wire = await startWire(vhost);
    reading.alsoClose(wire.stop);
    let applied = 0;
    const { database } = await reading.startReader(wire.url, async (tx, events) => {
      await recordEffects(tx, events);
      applied += 1;
      if (applied === 1) wire.cut();
    });
    const { emit } = await reading.startEmitter(vhost);

    await emit(10);
    await countBecomes(database, 'effects', 10);
    await emit(1);

    await countBecomes(database, 'effects', 11);
  });

  test('creates its deleted queue again and continues', async () => {
    const vhost = await claimVhost();
    const { database } = await reading.startReader(vhost);
    const { emit } = await reading.startEmitter(vhost);
    await emit(1);
    await countBecomes(database, 'effects', 1);

    await onChannel(vhost, (channel) => channel.deleteQueue('ledger.events'));

    await eventually(async () => {
      const { consumerCount } = await onChannel(vhost, (channel) => channel.checkQueue('ledger.events'));
      expect(consumerCount).toBe(1);
    });
    await emit(1);
    await countBecomes(database, 'effects', 2);
  });

  test('shares its queue with a replica; each event applies once', async () => {
    const vhost = await claimVhost();
    const { database } = await reading.startReader(vhost);
    await reading.startListener({ brokerUrl: vhost, database: reading.openReplica(database) });
    const { emit, bodies } = await reading.startEmitter(vhost);

    for (let n = 0; n < 20; n += 1) await emit(20);
    const copies = await bodies();
    await publish(vhost, ...copies.map((body) => ({ body })));

    await countBecomes(database, 'effects', 400);
    await emit(1);
    await countBecomes(database, 'effects', 401);
  });
});
