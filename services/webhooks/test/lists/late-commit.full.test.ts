import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { paid } from '../support/emitter.ts';
import { eventOf } from '../support/history.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { read } from '../support/reader.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let urls: string[];

beforeAll(async () => {
  world = await startWorld();
  urls = [world.first.url, (await world.startReplica()).url];
});
afterAll(() => world.stop());

const HELD_OPEN_MS = 10_000;

test('while one commit is held open for ten seconds and two replicas consume, waiting readers miss none', async () => {
  const tenant = newTenant();
  const headers = merchantHeader(tenant, ['charges:read']);
  const ended = Promise.withResolvers<void>();
  const held = Promise.withResolvers<string>();
  const late = world.database.transaction(async (tx) => {
    held.resolve((await eventOf(tx, tenant)).id);
    await sleep(HELD_OPEN_MS);
  });
  const lateId = await held.promise;
  let isOver = false;
  void ended.promise.then(() => {
    isOver = true;
  });

  /** Goes on from its last event, now at one replica and now at the other, until all is over. */
  async function readOn(first: number): Promise<string[]> {
    const seen: string[] = [];
    for (let turn = first; !isOver; turn += 1) {
      const after = seen.length > 0 ? `&after=${seen.at(-1)}` : '';
      const { data } = await read(`${urls[turn % 2]}/v1/events?order=asc&wait=1&limit=9${after}`, headers);
      seen.push(
        ...api.listEvents.data
          .array()
          .parse(data)
          .map(({ id }) => id),
      );
    }
    return seen;
  }
  const readers = [readOn(0), readOn(1)];
  const announced: string[] = [];
  const began = performance.now();
  while (performance.now() - began < HELD_OPEN_MS + 1_000) {
    const events = [paid(tenant), paid(tenant)];
    await world.emitter.announce(...events);
    announced.push(...events.map(({ aggregateId }) => aggregateId));
    await sleep(100);
  }
  await late;
  await eventually(async () => {
    const { meta } = await read(`${urls[0]}/v1/events`, headers);
    expect(meta?.total).toBe(announced.length + 1);
  });
  await sleep(3_000);
  ended.resolve();

  const stored = await world.database.query<{ id: string }>('SELECT id FROM events WHERE merchant_id = $1', [
    tenant.merchantId,
  ]);
  for (const seen of await Promise.all(readers)) {
    expect(seen).toContain(lateId);
    expect(seen.toSorted()).toEqual(stored.map(({ id }) => id).toSorted());
  }
}, 60_000);
