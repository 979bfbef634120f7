import { beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@plataforma/testing';
import pg from 'pg';
import { diceOf } from '../../../src/chaos/dice.ts';
import { databaseFaults, execute } from '../../../src/chaos/faults/database.ts';
import type { Behaviour, Link } from '../../../src/chaos/network/link.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

const [, , connectionsEnded, tableLocked, commitsLost] = databaseFaults;

/** In this test all services use the same database. */
function platform() {
  const { url } = database;
  return {
    databaseUrls: {
      ...{ gateway: url, charges: url, withdrawals: url, ledger: url, webhooks: url, 'sandbox-psp': url },
    },
  };
}

const hasty = { ...diceOf(1), int: (from: number) => from };

test('connections are ended, and new connections succeed', async () => {
  const client = new pg.Client({ connectionString: database.url });
  const reasons: string[] = [];
  client.on('error', ({ message }) => reasons.push(message));
  await client.connect();

  await connectionsEnded.strike(
    { platform: platform() },
    { ...hasty, pick: (of) => of.at(-1) ?? hasty.pick(of) },
  );

  await eventually(() => expect(reasons.join()).toContain('terminating connection'));
  await execute(database.url, 'SELECT');
});

test('a table is locked for a while', async () => {
  await execute(database.url, 'CREATE TABLE notes (text text)');
  const read = () => execute(database.url, "SET lock_timeout = '50ms'; SELECT FROM notes");

  const striking = tableLocked.strike({ platform: platform() }, hasty);
  await eventually(() => expect(read()).rejects.toThrow('lock timeout'));
  const { what } = await striking;

  expect(what).toMatch(/^notes of [\w-]+ for 2000 ms$/);
  await read();
});

test('COMMIT answers are lost on the links to databases', async () => {
  const events: string[] = [];
  let lost = 0;
  const aLink = (name: string, kind: Link['kind'] = 'database'): Link => ({
    ...{ name, kind, port: 1 },
    behave: (how: Behaviour) => events.push(`${name} ${how.kind}`),
    lostCommits: () => lost,
    stop: () => Promise.resolve(),
  });
  const links = [
    ...[aLink('ledger-1 → broker', 'broker'), aLink('ledger-1 → database'), aLink('charges-1 → database')],
  ];

  const striking = commitsLost.strike({ links }, hasty);
  lost = 1;
  const again = commitsLost.strike({ links }, hasty);

  const both = (kind: string) => [`ledger-1 → database ${kind}`, `charges-1 → database ${kind}`];
  expect(await striking).toMatchObject({ isInVain: false });
  expect(await again).toMatchObject({ isInVain: true });
  expect(events.toSorted()).toEqual(
    [...both('loses COMMIT answers'), ...both('passes')].flatMap((each) => [each, each]).toSorted(),
  );
});
