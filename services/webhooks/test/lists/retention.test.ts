import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { ConfigError, type Tenant } from '@plataforma/kernel';
import { inboxByMonth, keepPartitions } from '@plataforma/tables';
import { endPauseSql, eventually, monthOf, monthSql, rounds, startOfMonth } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startWebhooks } from '../../src/service.ts';
import { countDeadLetters, messageOf, paid, publish } from '../support/emitter.ts';
import { attemptAt, deliveryOf, eventOf, nextIdOf } from '../support/history.ts';
import { newTenant } from '../support/identity.ts';
import { dropMonths, makeMonth, makeMonths } from '../support/months.ts';
import { startWorld } from '../support/world.ts';

// The retention of this service is long, so that only the test itself drops months.
const world = worldOfFile(() => startWorld({ forgetEveryMs: 20 }, keptFor('3650')));
let database: Database;

beforeAll(async () => {
  database = world.database;
  await makeMonths(database, 9);
});

const keptFor = (days: string) => ({
  ...{ EVENT_RETENTION_DAYS: days, DELIVERY_RETENTION_DAYS: days, MESSAGES_RETENTION_DAYS: days },
});
const HOUR_MS = 3_600_000;
/** Returns an instant one hour before the end of a month. */
const endOf = (monthsBack: number) =>
  new Date(startOfMonth(1 - monthsBack).getTime() - HOUR_MS).toISOString();
/** Retention in days. It always includes the previous month, and never the month three months ago. */
const DAYS = 32;
/** Drops months until none is left to drop. Retries if a lock was not free. */
async function forget(eventRetentionDays = DAYS, deliveryRetentionDays = DAYS): Promise<string[]> {
  const now = await dropMonths(database, { eventRetentionDays, deliveryRetentionDays });
  if (now.length === 0) return [];
  const done = now.filter((what) => !what.startsWith('no lock'));
  return [...done, ...(await forget(eventRetentionDays, deliveryRetentionDays))];
}

async function countOf(table: 'events' | 'deliveries' | 'delivery_attempts', { merchantId }: Tenant) {
  return (await database.query(`SELECT FROM ${table} WHERE merchant_id = $1`, [merchantId])).length;
}
const left = async (tenant: Tenant) => [
  await countOf('events', tenant),
  await countOf('deliveries', tenant),
  await countOf('delivery_attempts', tenant),
];

async function shop(): Promise<{ tenant: Tenant; configurationId: string }> {
  const tenant = newTenant();
  const { id } = await world.configure(tenant, { url: 'https://shop.example/hook' });
  return { tenant, configurationId: id };
}

describe('a month beyond its retention', () => {
  test('is dropped with its events, deliveries and attempts, unlike the next', async () => {
    const { tenant, configurationId } = await shop();
    const { id } = await deliveryOf(database, tenant, { configurationId, at: endOf(8) });
    await attemptAt(database, { deliveryId: id });
    await eventOf(database, tenant, { at: endOf(8) });
    const younger = await deliveryOf(database, tenant, { configurationId, at: endOf(1) });
    await attemptAt(database, { deliveryId: younger.id });
    expect(await left(tenant)).toEqual([3, 2, 2]);

    const done = await forget();

    expect(done).toContain(`dropped ${monthOf('events', startOfMonth(-8))}`);
    expect(await left(tenant)).toEqual([1, 1, 1]);
  });

  test('remains whole while one of its deliveries waits', async () => {
    await makeMonth(database, 7);
    const { tenant, configurationId } = await shop();
    const past = { configurationId, at: endOf(7) };
    const { id } = await deliveryOf(database, tenant, { ...past, status: 'PENDING' });
    await attemptAt(database, { deliveryId: id, failure: 'timeout' });
    await deliveryOf(database, tenant, past);

    const whileWaiting = await forget();
    expect(whileWaiting.join()).not.toContain(monthOf('', startOfMonth(-7)));
    expect(await left(tenant)).toEqual([2, 2, 1]);

    await database.query(`UPDATE deliveries SET status = 'FAILED', due_at = NULL WHERE id = $1`, [id]);
    const done = await forget();

    expect(done).toEqual(
      ['deliveries', 'delivery_attempts', 'events'].map(
        (table) => `dropped ${monthOf(table, startOfMonth(-7))}`,
      ),
    );
    expect(await left(tenant)).toEqual([0, 0, 0]);
  });

  test(`is dropped once by concurrent replicas, ${rounds(3)} times`, async () => {
    for (let round = 0; round < rounds(3); round += 1) {
      await makeMonth(database, 6);
      const { tenant, configurationId } = await shop();
      await deliveryOf(database, tenant, { configurationId, at: endOf(6) });

      const done = await Promise.all([forget(), forget(), forget()]);
      await forget();

      expect(
        done.flat().filter((what) => what === `dropped ${monthOf('events', startOfMonth(-6))}`),
      ).toHaveLength((await left(tenant))[0] === 0 ? 1 : -1);
    }
  });

  test.each([
    ['deliveries may go before their events', [400, DAYS], [1, 0, 0]],
    ['events never go before their deliveries', [DAYS, 400], [1, 1, 1]],
  ] as const)('follows the rule: %s', async (_what, [events, deliveries], expected) => {
    await makeMonth(database, 5);
    const { tenant, configurationId } = await shop();
    const { id } = await deliveryOf(database, tenant, { configurationId, at: endOf(5) });
    await attemptAt(database, { deliveryId: id });

    await forget(events, deliveries);

    expect(await left(tenant)).toEqual(expected);
    await forget();
  });

  test('accepts no late event, which becomes a dead letter', async () => {
    const { tenant } = await shop();
    const before = await countDeadLetters(database);
    const late = { ...JSON.parse(messageOf(paid(tenant))), id: nextIdOf(endOf(20)) };

    await publish(world.brokerUrl, JSON.stringify(late), { key: late.type });

    await eventually(async () => expect(await countDeadLetters(database)).toBe(before + 1));
    expect(await left(tenant)).toEqual([0, 0, 0]);
  });

  test('remains while a dead letter of it may be replayed', async () => {
    await makeMonth(database, 8);
    await database.queryUnprepared(monthSql('inbox', startOfMonth(-8)), []);
    await database.query(
      `INSERT INTO dead_letters (id, fingerprint, event_id, signature, body, died_at)
       SELECT gen_random_uuid(), signature, $1, signature, '', now() FROM unnest(ARRAY['valid',
       'invalid']) AS signature`,
      [nextIdOf(endOf(8))],
    );
    const keepInbox = async () => {
      await database.queryUnprepared(endPauseSql('inbox'), []);
      return keepPartitions(database, { ...inboxByMonth, keepDays: DAYS }, new Date());
    };
    const ofMonth = (table: string) => `dropped ${monthOf(table, startOfMonth(-8))}`;

    const whileItWaits = [...(await keepInbox()), ...(await forget())];
    await database.query("UPDATE dead_letters SET replayed_at = now() WHERE signature = 'valid'");
    const done = [...(await keepInbox()), ...(await forget())];

    expect(whileItWaits.join()).not.toContain(monthOf('', startOfMonth(-8)));
    expect(done).toEqual(['inbox', 'deliveries', 'delivery_attempts', 'events'].map(ofMonth));
  });

  test('is dropped by the service itself', async () => {
    await forget();
    await makeMonth(database, 4);
    const { tenant, configurationId } = await shop();
    await deliveryOf(database, tenant, { configurationId, at: endOf(4) });

    // A replica drops months when it starts. If a lock is not free, the replica waits for a long time, so the
    // test starts further replicas.
    await eventually(async () => {
      const replica = await world.startReplica({}, keptFor('7'));
      const isOver = async () => expect(await left(tenant)).toEqual([0, 0, 0]);
      await eventually(isOver, { timeoutMs: 1_000 }).finally(replica.stop);
    });
  });
});

test('expired hours of endpoint health are deleted', async () => {
  const { configurationId } = await shop();
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS).toISOString();
  await database.query('INSERT INTO endpoint_hours VALUES ($1, $2, 1, 1), ($1, $3, 1, 1)', [
    ...[configurationId, daysAgo(3), daysAgo(1)],
  ]);

  await eventually(async () => {
    const rows = await database.query('SELECT FROM endpoint_hours WHERE configuration_id = $1', [
      configurationId,
    ]);
    expect(rows).toHaveLength(1);
  });
});

test.each(['EVENT_RETENTION_DAYS', 'DELIVERY_RETENTION_DAYS'])('retention is in days: %s', async (name) => {
  for (const value of ['0', '1.5', 'a month'])
    await expect(startWebhooks({ ...world.env, [name]: value })).rejects.toThrow(ConfigError);
});
