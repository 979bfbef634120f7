import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import {
  inboxByMonth,
  keepPartitions,
  outboxByMonth,
  type Partitions,
  pruneDeadLetters,
} from '@plataforma/tables';
import { claimVhost, endPauseSql, monthOf, startOfMonth } from '@plataforma/testing';
import { countOf } from './fixture.ts';
import { asOwner, beginBefore, lastIdBefore, monthsOf } from './months.ts';
import { allLettersKept, bodyOf, deliver, readings } from './reading.ts';

const reading = readings();
let database: Database;

beforeEach(async () => {
  database = await reading.openDatabase();
});
afterEach(reading.close);

const insert = (table: string, values: string) =>
  database.queryUnprepared(`INSERT INTO ${table} SELECT ${values}`, []);
const letter = (replayedAt: string, eventId = 'NULL') =>
  insert(
    'dead_letters',
    `gen_random_uuid(), gen_random_uuid(), ${eventId}, NULL, '', NULL, now() - interval '1 year', ${replayedAt}`,
  );

test('dead letters replayed more than 90 days ago are deleted', async () => {
  await letter('NULL');
  await letter("now() - interval '89 days'");
  await letter("now() - interval '91 days'");

  await pruneDeadLetters(database);

  expect(await countOf(database, 'dead_letters')).toBe(2);
});

describe('a past month of messages', () => {
  const month = startOfMonth(-4);
  const id = lastIdBefore(startOfMonth(-3));

  /** Drops all partitions whose retention has ended, and returns their names. */
  async function dropped(table: Partitions): Promise<string[]> {
    const before = await monthsOf(database, table);
    while ((await keepPartitions(database, { ...table, keepDays: 30 }, new Date())).length > 0)
      await asOwner(database, endPauseSql(table.table));
    const left = new Set(await monthsOf(database, table));
    return before.filter((name) => !left.has(name));
  }

  test('leaves the inbox once its dead letters are replayed', async () => {
    await beginBefore(database, inboxByMonth, 4);
    await insert('inbox', `'${id}'`);
    await letter('now()', `'${id}'`);
    await letter('NULL', `'${id}'`);

    const whileWaiting = await dropped(inboxByMonth);
    await database.query('UPDATE dead_letters SET replayed_at = now()');

    expect(whileWaiting).toContain(monthOf('inbox', startOfMonth(-3)));
    expect(whileWaiting).not.toContain(monthOf('inbox', month));
    expect(await dropped(inboxByMonth)).toEqual([monthOf('inbox', month)]);
  });

  test('stays in the inbox for unreadable dead letters, not forged ones', async () => {
    const vhost = await claimVhost();
    await beginBefore(database, inboxByMonth, 4);
    await reading.startListener({ database, brokerUrl: vhost });
    await deliver(vhost, 'ledger.dead', bodyOf(id).replace('charge.paid', 'charge.eaten'));
    await allLettersKept(vhost, database);

    const whileWaiting = await dropped(inboxByMonth);
    await database.query("UPDATE dead_letters SET signature = 'invalid'");

    expect(whileWaiting).not.toContain(monthOf('inbox', month));
    expect(await dropped(inboxByMonth)).toEqual([monthOf('inbox', month)]);
  });

  test('leaves the outbox once all its events are published', async () => {
    await beginBefore(database, outboxByMonth, 4);
    await database.query("INSERT INTO outbox (event_id, type, body) VALUES ($1, 'charge.paid', '{}')", [id]);

    const whileWaiting = await dropped(outboxByMonth);
    await database.query('UPDATE outbox SET published_at = now()');

    expect(whileWaiting).not.toContain(monthOf('outbox', month));
    expect(await dropped(outboxByMonth)).toEqual([monthOf('outbox', month)]);
  });
});
