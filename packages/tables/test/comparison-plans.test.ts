import { beforeAll, expect, test } from '@jest/globals';
import { firstIdOf } from '@plataforma/kernel';
import { monthOf, startOfMonth } from '@plataforma/testing';
import { databaseOfFile, planOf } from '@plataforma/testing/world';
import {
  comparedEvents,
  findMissing,
  listPublished,
  sharedTables,
  sumPublished,
  sumReceived,
} from '../src/index.ts';

const database = databaseOfFile([sharedTables, comparedEvents]);

const EVENTS = 40_000;
const SECONDS = 4_000;
const start = startOfMonth(0);
const inSeconds = (seconds: number) => firstIdOf(new Date(start.getTime() + seconds * 1_000));
const range = { from: inSeconds(1_000), before: inSeconds(1_120) };
const IN_RANGE = 1_200;

/** Ten events in each second, half of them of another type and producer. */
const IDS = `
  SELECT n, (left(encode(int8send((${start.getTime()} + n * ${(SECONDS * 1_000) / EVENTS}) << 16), 'hex'), 12)
    || '7' || substr(md5(n::text), 1, 3) || 'a' || substr(md5(n::text), 4, 15))::uuid AS id
  FROM generate_series(0, ${EVENTS - 1}) AS n`;

beforeAll(async () => {
  await database.query(
    `INSERT INTO outbox (event_id, type, body, published_at)
    SELECT id, CASE WHEN n % 2 = 0 THEN 'charge.paid' ELSE 'charge.expired' END, '{}', now()
    FROM (${IDS}) AS ids`,
  );
  await database.query(
    `INSERT INTO inbox (event_id, producer)
    SELECT id, CASE WHEN n % 2 = 0 THEN 'charges' ELSE 'withdrawals' END FROM (${IDS}) AS ids`,
  );
  await database.query('VACUUM ANALYZE outbox, inbox');
});

const types = ['charge.paid'];
const sender = { producer: 'charges', types, verdicts: ['valid'] as const };

test('both sides count and sum the same events', async () => {
  const published = await sumPublished(database, range, types);

  expect(published.count).toBe(IN_RANGE / 2);
  expect(await sumReceived(database, range, sender)).toEqual(published);
  await database.transaction(async (tx) => {
    await tx.query(
      `DELETE FROM inbox WHERE event_id = (
      SELECT event_id FROM inbox WHERE event_id >= $1 AND producer = 'charges' ORDER BY event_id LIMIT 1)`,
      [range.from],
    );
    const [one] = await tx.query<{ id: string }>(
      `SELECT event_id AS id FROM outbox WHERE event_id >= $1 AND type = 'charge.paid' ORDER BY event_id LIMIT 1`,
      [range.from],
    );
    const received = await sumReceived(tx, range, sender);
    expect(received.count).toBe(published.count - 1);
    expect(received.sum).not.toBe(published.sum);
    expect(await findMissing(tx, [one?.id ?? ''], sender)).toEqual([one?.id]);
    await tx.query('INSERT INTO inbox (event_id, producer) VALUES ($1, $2)', [one?.id, 'charges']);
  });
});

test('a comparison reads the events of its range only, by an index', async () => {
  const plan = await planOf(database, async (db) => {
    await sumPublished(db, range, types);
    await listPublished(db, range, { types, limit: 1_000 });
    await sumReceived(db, range, sender);
  });

  expect(plan).not.toContain('Seq Scan on outbox');
  expect(plan).not.toContain('Seq Scan on inbox');
  const months = new Set(plan.match(/(?:outbox|inbox)_\d{6}\b/g));
  expect([...months].toSorted()).toEqual([monthOf('inbox', start), monthOf('outbox', start)]);
});
