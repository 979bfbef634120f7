import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { claimVhost } from '@plataforma/testing';
import { pruneReceived } from '../src/prune.ts';
import { countOf } from './fixture.ts';
import { allLettersKept, bodyOf, deliver, readings } from './reading.ts';

const reading = readings();
let database: Database;

beforeEach(async () => {
  database = await reading.openDatabase();
});
afterEach(reading.close);

describe('what a listener forgets', () => {
  const insert = (table: string, values: string) =>
    database.queryUnprepared(`INSERT INTO ${table} SELECT ${values}`, []);
  const letter = (replayedAt: string, eventId = 'NULL') =>
    insert(
      'dead_letters',
      `gen_random_uuid(), gen_random_uuid(), ${eventId}, NULL, '', NULL, now() - interval '1 year', ${replayedAt}`,
    );

  test('is letters replayed more than 90 days ago, and no others', async () => {
    await letter('NULL');
    await letter("now() - interval '89 days'");
    await letter("now() - interval '91 days'");

    await pruneReceived(database);

    expect(await countOf(database, 'dead_letters')).toBe(2);
  });

  test('is not the event of a letter that may still be replayed', async () => {
    const [waiting, replayed, none] = [newId(), newId(), newId()];
    for (const id of [waiting, replayed, none]) await insert('inbox', `'${id}', now() - interval '31 days'`);
    await letter('NULL', `'${waiting}'`);
    await letter('now()', `'${replayed}'`);

    await pruneReceived(database);

    const left = await database.queryUnprepared('SELECT event_id FROM inbox', []);
    expect(left).toEqual([{ event_id: waiting }]);
  });

  test('is not the event of a letter that can’t be read, when a copy of it has had its effect', async () => {
    const [id, vhost] = [newId(), await claimVhost()];
    await insert('inbox', `'${id}', now() - interval '31 days'`);
    await reading.startListener({ database, brokerUrl: vhost });
    await deliver(vhost, 'ledger.dead', bodyOf(id).replace('charge.paid', 'charge.eaten'));
    await allLettersKept(vhost, database);

    await pruneReceived(database);

    expect(await countOf(database, `inbox WHERE event_id = '${id}'`)).toBe(1);
  });
});
