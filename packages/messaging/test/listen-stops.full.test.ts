import { afterEach, describe, expect, test } from '@jest/globals';
import { claimVhost, eventually } from '@plataforma/testing';
import { countBecomes, countOf, recordEffects } from './fixture.ts';
import { type Apply, readings, waitingBecome } from './reading.ts';

const reading = readings();
afterEach(reading.close);

describe('a listener', () => {
  test('loses nothing of an abandoned batch by acknowledging a younger one', async () => {
    const vhost = await claimVhost();
    const { emit, bodies, published } = await reading.startEmitter(vhost);
    await emit(400);
    await published(400);
    const [first] = (await bodies()).map((body) => JSON.parse(body).id).sort();
    const stopped = Promise.withResolvers<void>();
    const begun = new Set<'older' | 'younger'>();
    const { database, listener } = await reading.startReader(vhost, async (tx, events) => {
      const which = events.some(({ id }) => id === first) ? 'older' : 'younger';
      begun.add(which);
      // This error means that the database is unavailable, so the listener retries the older batch until the
      // listener is stopped.
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
    await reading.startListener({ brokerUrl: vhost, database: reading.openReplica(database) });

    await countBecomes(database, 'effects', 400);
  });

  test('acknowledges an older and a younger batch when it stops', async () => {
    const vhost = await claimVhost();
    const { emit, bodies, published } = await reading.startEmitter(vhost);
    await emit(500);
    await published(500);
    const [first] = (await bodies()).map((body) => JSON.parse(body).id).sort();
    const stopped = Promise.withResolvers<void>();
    const youngerEnded = Promise.withResolvers<void>();
    const begun = new Set<'older' | 'younger'>();
    const { database, listener } = await reading.startReader(vhost, async (tx, events) => {
      const which = events.some(({ id }) => id === first) ? 'older' : 'younger';
      begun.add(which);
      await stopped.promise;
      if (which === 'older') await youngerEnded.promise;
      await recordEffects(tx, events);
    });
    await eventually(() => expect(begun.size).toBe(2));

    const stopping = listener.stop();
    stopped.resolve();
    await countBecomes(database, 'effects', 200);
    youngerEnded.resolve();
    await stopping;

    const done = await countOf(database, 'effects');
    await waitingBecome(vhost, 500 - done);
    expect(done).toBeGreaterThan(200);
  });

  test('finishes its batch on stopping; its successor applies the other events', async () => {
    const vhost = await claimVhost();
    const { emit, published } = await reading.startEmitter(vhost);
    const begun = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const blockedApply: Apply = async (tx, events) => {
      begun.resolve();
      await stopped.promise;
      await recordEffects(tx, events);
    };
    const { database, listener } = await reading.startReader(vhost, blockedApply);
    await emit(500);
    await published(500);

    await begun.promise;
    const stopping = listener.stop();
    stopped.resolve();
    await stopping;
    const done = await countOf(database, 'effects');
    // The broker does not deliver the finished events again.
    await waitingBecome(vhost, 500 - done);
    const next = reading.openReplica(database);
    await reading.startListener({ brokerUrl: vhost, database: next });

    await countBecomes(next, 'effects', 500);
    expect(done).toBeLessThan(500);
  });
});
