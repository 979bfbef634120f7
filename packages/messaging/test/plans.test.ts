import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { firstIdOf, newId } from '@plataforma/kernel';
import { outboxByMonth } from '@plataforma/tables';
import { monthOf, startOfMonth } from '@plataforma/testing';
import { ALL, CLAIM_EVENTS, MARK_PUBLISHED, PRESENT } from '../src/relay.ts';
import { openTestDatabase } from './fixture.ts';
import { asOwner, beginBefore } from './months.ts';

const MONTHS = 12;
const WAITING = 3_000;
const THIS = monthOf('outbox', startOfMonth(0));

const fill = (month: Date, count: number, publishedAt: string) => `
  INSERT INTO outbox (event_id, type, body, published_at)
  SELECT ('${firstIdOf(month).slice(0, 14)}' || substr(gen_random_uuid()::text, 15))::uuid, 'charge.paid',
    '{"aggregateId":"' || gen_random_uuid() || '"}', ${publishedAt} FROM generate_series(1, ${count})`;

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  await beginBefore(database, outboxByMonth, MONTHS);
  for (let back = MONTHS; back >= 0; back -= 1)
    await database.queryUnprepared(fill(startOfMonth(-back), 1_000, 'now()'), []);
  await database.queryUnprepared(fill(startOfMonth(0), WAITING, 'NULL'), []);
  await asOwner(database, 'VACUUM ANALYZE outbox');
});
afterAll(() => database.close());

test('the relay claims the oldest outbox rows in order without sorting', async () => {
  const plan = JSON.stringify(await database.queryUnprepared(`EXPLAIN (FORMAT JSON) ${CLAIM_EVENTS}`, ALL));

  expect(plan).toContain('Merge Append');
  expect(plan).toContain(`"Index Name":"${THIS}_position_idx"`);
  expect(plan).not.toMatch(new RegExp(`Seq Scan[^}]*"${THIS}"`));
});

test('the relay claims only this month when others have nothing waiting', async () => {
  const readPresent = async () => {
    const [ids] = await database.query<{ lower: string; upper: string }>(PRESENT, [newId(), newId()]);
    return ids;
  };
  const present = await readPresent();
  const plan = JSON.stringify(
    await database.queryUnprepared(`EXPLAIN ${CLAIM_EVENTS}`, [present?.lower, present?.upper]),
  );
  await database.query(
    'UPDATE outbox SET published_at = NULL WHERE event_id = (SELECT min(event_id::text) FROM outbox)::uuid',
  );

  expect(present).toEqual({ lower: firstIdOf(startOfMonth(0)), upper: firstIdOf(startOfMonth(1)) });
  expect([...new Set(plan.match(/outbox_\d{6}/g))]).toEqual([THIS]);
  expect(await readPresent()).toBeUndefined();
});

test('published events are marked in their month’s partition alone', async () => {
  const plan = await database.transaction(async (tx) => {
    await tx.queryUnprepared('SET LOCAL plan_cache_mode = force_generic_plan', []);
    await tx.queryUnprepared(`PREPARE mark (uuid[], uuid, uuid) AS ${MARK_PUBLISHED}`, []);
    const [low, high] = [startOfMonth(-2), new Date(startOfMonth(-1).getTime() - 1)].map(firstIdOf);
    return tx.queryUnprepared(`EXPLAIN EXECUTE mark ('{${low},${high}}', '${low}', '${high}')`, []);
  });

  const scanned = JSON.stringify(plan).match(/Scan using \w+ on (\w+)/g);
  expect(scanned?.map((scan) => scan.split(' ').at(-1))).toEqual([monthOf('outbox', startOfMonth(-2))]);
});
