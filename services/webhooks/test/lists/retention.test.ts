import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database, Queryable, Row } from '@plataforma/data';
import { ConfigError, newId, type Tenant } from '@plataforma/kernel';
import { eventually, rounds } from '@plataforma/testing';
import { forgetOld } from '../../src/operations/forget-old.ts';
import { startWebhooks } from '../../src/service.ts';
import { attemptAt, deliveryOf, eventOf, idAt } from '../support/history.ts';
import { newTenant } from '../support/identity.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let database: Database;

beforeAll(async () => {
  world = await startWorld({ forgetEveryMs: 20 });
  database = world.database;
});
afterAll(() => world.stop());

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

async function exists(table: 'events' | 'deliveries', id: string): Promise<boolean> {
  return (await database.query(`SELECT FROM ${table} WHERE id = $1`, [id])).length > 0;
}

async function attemptsAt(deliveryId: string): Promise<number> {
  return (await database.query('SELECT FROM delivery_attempts WHERE delivery_id = $1', [deliveryId])).length;
}

/** Makes a delivery older than it is; its id goes with its time. */
async function aged(id: string, at: string): Promise<string> {
  const [older] = await database.query<{ id: string }>(
    `WITH older AS (
      UPDATE deliveries SET id = ${idAt('$2::timestamptz')}, created_at = $2::timestamptz WHERE id = $1 RETURNING id)
    UPDATE delivery_attempts SET delivery_id = older.id FROM older WHERE delivery_id = $1 RETURNING older.id`,
    [id, at],
  );
  return older?.id ?? '';
}

/** A merchant, with a configuration that was never called. */
async function shop(): Promise<{ tenant: Tenant; configurationId: string }> {
  const tenant = newTenant();
  const { id } = await world.configure(tenant, { url: 'https://shop.example/hook' });
  return { tenant, configurationId: id };
}

describe('after thirty days', () => {
  test('an event goes with its deliveries and their attempts', async () => {
    const { tenant, configurationId } = await shop();
    const { id, event } = await deliveryOf(database, tenant, { configurationId, at: daysAgo(29) });
    await attemptAt(database, { deliveryId: id });
    expect([await exists('events', event.id), await exists('deliveries', id)]).toEqual([true, true]);

    const older = await aged(id, daysAgo(30.01));
    await database.query('UPDATE events SET created_at = $2 WHERE id = $1', [event.id, daysAgo(30.01)]);

    await eventually(async () => expect(await exists('events', event.id)).toBe(false));
    expect([await exists('deliveries', older), await attemptsAt(older)]).toEqual([false, 0]);
  });

  test('an event that nobody wanted to hear of goes, too', async () => {
    const tenant = newTenant();
    const { id } = await eventOf(database, tenant, { at: daysAgo(31) });
    const kept = await eventOf(database, tenant, { at: daysAgo(29) });

    await eventually(async () => expect(await exists('events', id)).toBe(false));
    expect(await exists('events', kept.id)).toBe(true);
  });

  test('a delivery that is not final stays, with its event and its attempts, until it is', async () => {
    const { tenant, configurationId } = await shop();
    const past = { configurationId, at: daysAgo(40) };
    const { id, event } = await deliveryOf(database, tenant, { ...past, status: 'PENDING' });
    await attemptAt(database, { deliveryId: id, statusCode: 500 });
    const passing = await deliveryOf(database, tenant, past);

    await eventually(async () => expect(await exists('events', passing.event.id)).toBe(false));
    expect([await exists('events', event.id), await exists('deliveries', id)]).toEqual([true, true]);
    expect(await attemptsAt(id)).toBe(1);

    await database.query(`UPDATE deliveries SET status = 'FAILED', due_at = NULL WHERE id = $1`, [id]);
    await eventually(async () => expect(await exists('events', event.id)).toBe(false));
    expect([await exists('deliveries', id), await attemptsAt(id)]).toEqual([false, 0]);
  });

  test('hours of endpoints’ health that are over for good go', async () => {
    const { configurationId } = await shop();
    await database.query('INSERT INTO endpoint_hours VALUES ($1, $2, 1, 1), ($1, $3, 1, 1)', [
      configurationId,
      daysAgo(3),
      daysAgo(1),
    ]);

    await eventually(async () => {
      const left = await database.query('SELECT FROM endpoint_hours WHERE configuration_id = $1', [
        configurationId,
      ]);
      expect(left).toHaveLength(1);
    });
  });
});

describe('what is kept for as long as is configured', () => {
  const now = new Date('2999-01-31T12:00:00.000Z');
  const forget = (eventRetentionDays: number, deliveryRetentionDays: number) =>
    forgetOld(database, { eventRetentionDays, deliveryRetentionDays }, now);

  /** Of ten days before `now`, which is so far ahead that the service itself leaves it alone. */
  async function tenDaysOld() {
    const { tenant, configurationId } = await shop();
    const at = '2999-01-21T12:00:00.000Z';
    const { id, event } = await deliveryOf(database, tenant, { configurationId, at });
    return { look: async () => [await exists('deliveries', id), await exists('events', event.id)] };
  }

  test('deliveries may go before their events', async () => {
    const { look } = await tenDaysOld();

    await forget(11, 9);

    expect(await look()).toEqual([false, true]);
  });

  test('events never go before their deliveries', async () => {
    const { look } = await tenDaysOld();

    await forget(9, 11);

    expect(await look()).toEqual([true, true]);
  });

  test('goes once, when many replicas look at the same moment', async () => {
    const { tenant, configurationId } = await shop();
    await database.query(
      `WITH stored AS (
        INSERT INTO events (id, merchant_id, environment, type, resource_id, body, occurred_at, created_at)
        SELECT gen_random_uuid(), $1, $2, 'charge.paid', $3, '{}', '2999-01-01', '2999-01-01'
        FROM generate_series(1, 2500) RETURNING id, type, created_at),
      delivered AS (
        INSERT INTO deliveries
          (id, merchant_id, environment, event_id, event_type, configuration_id, status, due_at, created_at)
        SELECT ${idAt('created_at')}, $1, $2, id, type, $4, 'SUCCEEDED', NULL, created_at FROM stored RETURNING id)
      INSERT INTO delivery_attempts (delivery_id, number, merchant_id, environment, at, duration_ms, status_code)
      SELECT id, 1, $1, $2, now(), 1, 200 FROM delivered`,
      [tenant.merchantId, tenant.environment, newId(), configurationId],
    );

    await Promise.all(Array.from({ length: 4 }, () => forget(20, 20)));
    await forget(20, 20);

    for (const table of ['events', 'deliveries', 'delivery_attempts']) {
      const left = await database.query(`SELECT FROM ${table} WHERE merchant_id = $1`, [tenant.merchantId]);
      expect([table, left.length]).toEqual([table, 0]);
    }
  });

  test('goes with its last attempt, when it ends at that moment', async () => {
    const { tenant, configurationId } = await shop();
    const past = { configurationId, status: 'PENDING', at: '2999-01-01T12:00:00.000Z' } as const;

    for (let round = 0; round < rounds(20); round += 1) {
      const { id, event } = await deliveryOf(database, tenant, past);
      await Promise.all([end(database, id), forget(20, 20)]);
      await forget(20, 20);
      const left = [await exists('deliveries', id), await exists('events', event.id), await attemptsAt(id)];
      expect(left).toEqual([false, false, 0]);
    }
  });

  test('goes fifty chunks at a time, and events only after the last delivery', async () => {
    const deleted: string[] = [];
    const endless: Queryable = {
      query: (text, values) => database.query(text, values),
      async queryUnprepared<R extends Row>(text: string, values: readonly unknown[]) {
        const table = /DELETE FROM (\w+)/.exec(text)?.[1] ?? '';
        deleted.push(table);
        const aFullChunk = 'SELECT generate_series(1, 1000) AS id';
        return table === 'deliveries'
          ? database.queryUnprepared<R>(aFullChunk, [])
          : database.queryUnprepared<R>(text, values);
      },
    };

    await forgetOld(endless, { eventRetentionDays: 20, deliveryRetentionDays: 20 }, now);

    expect(deleted.filter((table) => table === 'deliveries')).toHaveLength(50);
    expect(deleted).not.toContain('events');
  });

  test.each(['EVENT_RETENTION_DAYS', 'DELIVERY_RETENTION_DAYS'])('is a number of days: %s', async (name) => {
    for (const value of ['0', '1.5', 'a month'])
      await expect(startWebhooks({ ...world.env, [name]: value })).rejects.toThrow(ConfigError);
  });
});

/** As a sender does: the result and the attempt at once. */
async function end(db: Database, deliveryId: string): Promise<void> {
  const text = `
    WITH ended AS (
      UPDATE deliveries SET status = 'SUCCEEDED', attempts = 1, due_at = NULL WHERE id = $1 RETURNING *)
    INSERT INTO delivery_attempts (delivery_id, number, merchant_id, environment, at, duration_ms, status_code)
    SELECT id, attempts, merchant_id, environment, now(), 20, 200 FROM ended`;
  await db.query(text, [deliveryId]);
}
