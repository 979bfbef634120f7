import { afterEach, describe, expect, test } from '@jest/globals';
import { claimVhost, eventually } from '@plataforma/testing';
import { countOf, deadBodies, onChannel, recordEffects, startWire } from './fixture.ts';
import { readings } from './reading.ts';

const reading = readings();
afterEach(reading.close);

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
    const { database } = await reading.startReader(vhost, async (tx, events) => {
      sizes.push(events.length);
      await recordEffects(tx, events);
    });
    const { emit } = await reading.startEmitter(vhost);

    await emit(1_000);

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(1_000));
    expect(Math.max(...sizes)).toBeGreaterThan(50);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
  });

  test('drops copies of an event, in one batch and later', async () => {
    const vhost = await claimVhost();
    const { database } = await reading.startReader(vhost);
    const { emit, bodies } = await reading.startEmitter(vhost);
    await emit(3);
    await eventually(async () => expect(await countOf(database, 'effects')).toBe(3));

    const copies = await bodies();
    await publish(vhost, ...copies, ...copies, ...copies);
    await emit(1);

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(4));
    expect(await countOf(database, 'inbox')).toBe(4);
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
    ['is not JSON', '{'],
    ['is not an event', '{"hello":"world"}'],
    ['is of an unknown type', JSON.stringify({ ...JSON.parse('{}'), type: 'charge.eaten' })],
  ])('stores a message that %s as a dead letter', async (_what, body) => {
    const vhost = await claimVhost();
    const { database } = await reading.startReader(vhost);
    const { emit } = await reading.startEmitter(vhost);

    await publish(vhost, body);
    await emit(1);

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(1));
    await eventually(async () => expect(await deadBodies(database)).toEqual([body]));
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
    await eventually(async () => expect(await countOf(database, 'effects')).toBe(10));
    await emit(1);

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(11));
  });

  test('creates its deleted queue again and continues', async () => {
    const vhost = await claimVhost();
    const { database } = await reading.startReader(vhost);
    const { emit } = await reading.startEmitter(vhost);
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

  test('shares its queue with a replica; each event applies once', async () => {
    const vhost = await claimVhost();
    const { database } = await reading.startReader(vhost);
    await reading.startListener({ brokerUrl: vhost, database: reading.openReplica(database) });
    const { emit, bodies } = await reading.startEmitter(vhost);

    for (let n = 0; n < 20; n += 1) await emit(20);
    const copies = await bodies();
    await publish(vhost, ...copies);

    await eventually(async () => expect(await countOf(database, 'effects')).toBe(400));
    await emit(1);
    await eventually(async () => expect(await countOf(database, 'effects')).toBe(401));
  });
});
