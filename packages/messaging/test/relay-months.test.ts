import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { firstIdOf, newId } from '@plataforma/kernel';
import { announce, outboxByMonth } from '@plataforma/tables';
import { claimVhost, eventually, startOfMonth } from '@plataforma/testing';
import { startRelay } from '../src/index.ts';
import { countBecomes, log, messagesIn, openTestDatabase, paidCharge, signer } from './fixture.ts';
import { beginBefore } from './months.ts';

let database: Database;
let vhost: string;
let stop: () => Promise<void>;

beforeEach(async () => {
  [database, vhost] = await Promise.all([openTestDatabase(), claimVhost()]);
  await beginBefore(database, outboxByMonth, 3);
});
afterEach(async () => {
  await stop();
  await database.close();
});

function relay() {
  const started = startRelay({ signer, database, brokerUrl: vhost, name: 'test', log, pollMs: 100 });
  stop = started.stop;
  return started;
}

const announced = async (...events: ReturnType<typeof paidCharge>[]) => {
  await database.transaction((tx) => announce(tx, ...events));
};
const published = (count: number) => countBecomes(database, 'outbox WHERE published_at IS NOT NULL', count);
const orderOf = async () =>
  (await messagesIn(vhost, 'ledger.events')).map((body) => JSON.parse(body).aggregateId);
const ofOldMonth = () => firstIdOf(startOfMonth(-2)).slice(0, 14) + newId().slice(14);

test('an old month’s unpublished event delays its aggregate’s later events', async () => {
  const [first, other] = [paidCharge(), paidCharge()];
  await announced(first);
  await database.query(
    `UPDATE outbox SET event_id = $1, attempts = 3, available_at = now() + interval '1 hour'`,
    [ofOldMonth()],
  );
  await announced(first, other);

  const { isConnected } = relay();
  await eventually(() => expect(isConnected()).toBe(true));
  await published(1);
  await announced(paidCharge());
  await published(2);
  expect(await orderOf()).not.toContain(first.aggregateId);

  await database.query('UPDATE outbox SET available_at = now() WHERE published_at IS NULL');
  await published(4);
  expect(await orderOf()).toEqual(Array(2).fill(first.aggregateId));
});

test.each([-2, 2])('the running relay finds an event of another month (%i)', async (months) => {
  const { isConnected } = relay();
  await eventually(() => expect(isConnected()).toBe(true));
  await announced(paidCharge());
  await published(1);

  await database.query(`INSERT INTO outbox (event_id, type, body) SELECT $1, type, body FROM outbox`, [
    firstIdOf(startOfMonth(months)).slice(0, 14) + newId().slice(14),
  ]);

  await published(2);
});
