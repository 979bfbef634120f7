import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { eventually, rounds } from '@plataforma/testing';
import { beforeFile, silent, worldOfFile } from '@plataforma/testing/world';
import { startKeyUses } from '../src/key-uses.ts';
import { startGateway } from '../src/service.ts';
import { saveKeyUses } from '../src/store/api-keys.ts';
import { send } from './support/send.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const merchant = beforeFile(() => world.newMerchant());

const use = (key: string, url = world.gateway.url) =>
  send(`${url}/v1/balance`, { headers: { 'x-api-key': key } });

/** Returns the gateway's database, whose queries fail when `hinder` throws. */
function databaseWhich(hinder: () => void): Database {
  return {
    ...world.database,
    async query(text, values) {
      hinder();
      return world.database.query(text, values);
    },
  };
}

async function lastUseOf(id: string): Promise<string | null> {
  const { json } = await world.call('/v1/api-keys', { headers: merchant.bearer });
  return (
    api.listApiKeys.data
      .array()
      .parse(json.data)
      .find((one) => one.id === id)?.lastUsedAt ?? null
  );
}

describe('the last use of an API key', () => {
  test('appears in the list some seconds after a use', async () => {
    const { id, key } = await world.newKey(merchant);
    expect(await lastUseOf(id)).toBeNull();

    const before = new Date().toISOString();
    await use(key);

    const first = await eventually(async () => {
      const at = await lastUseOf(id);
      expect(at).not.toBeNull();
      return at ?? '';
    });
    expect(first >= before).toBe(true);
    await use(key);
    await eventually(async () => expect((await lastUseOf(id)) ?? '').not.toBe(first));
  });

  test('excludes refused requests', async () => {
    const { id, key } = await world.newKey(merchant, { allowedIps: ['203.0.113.7'] });
    const { id: other, key: good } = await world.newKey(merchant);

    expect((await use(key)).code).toBe('IP_NOT_ALLOWED');
    await use(good);

    await eventually(async () => expect(await lastUseOf(other)).not.toBeNull());
    expect(await lastUseOf(id)).toBeNull();
  });

  test('is saved when a gateway stops', async () => {
    const replica = await startGateway(world.env);
    const { id, key } = await world.newKey(merchant);
    await use(key, replica.url);

    await replica.stop();

    expect(await lastUseOf(id)).not.toBeNull();
  });

  test('is saved in one statement for all requests of an interval', async () => {
    const keys = await Promise.all(Array.from({ length: 3 }, () => world.newKey(merchant)));
    let statements = 0;
    const uses = startKeyUses(
      databaseWhich(() => {
        statements += 1;
      }),
      silent,
    );

    for (let second = 0; second < 50; second += 1) {
      for (const { id } of keys) uses.record(id, new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
    }
    await uses.stop();

    expect(statements).toBe(1);
    for (const { id } of keys) expect(await lastUseOf(id)).toBe('2026-01-01T00:00:49.000Z');
  });

  test('never moves backwards', async () => {
    const { id } = await world.newKey(merchant);
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

    for (const second of [10, 30, 20]) await saveKeyUses(world.database, new Map([[id, at(second)]]));

    expect(await lastUseOf(id)).toBe(at(30).toISOString());
  });

  test(`is saved by two replicas without deadlock, ${rounds(20)} times`, async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => world.newKey(merchant)));
    const ids = keys.map(({ id }) => id);

    for (let round = 0; round < rounds(20); round += 1) {
      const at = new Date(Date.UTC(2026, 0, 1, 0, round));
      const uses = (order: string[]) => new Map(order.map((id) => [id, at]));

      await Promise.all([
        saveKeyUses(world.database, uses(ids)),
        saveKeyUses(world.database, uses(ids.toReversed())),
      ]);

      expect(await lastUseOf(ids[round] ?? '')).toBe(at.toISOString());
    }
  });

  test('stays in memory while the database is away', async () => {
    const { id } = await world.newKey(merchant);
    let failures = 0;
    let isAway = true;
    const database = databaseWhich(() => {
      if (!isAway) return;
      failures += 1;
      throw new Error('away');
    });
    const uses = startKeyUses(database, silent, 5);

    uses.record(id, new Date('2026-01-01T00:00:10Z'));
    await eventually(() => expect(failures).toBeGreaterThan(1));
    uses.record(id, new Date('2026-01-01T00:00:05Z'));
    isAway = false;
    await eventually(async () => expect(await lastUseOf(id)).toBe('2026-01-01T00:00:10.000Z'));

    await uses.stop();
  });
});
