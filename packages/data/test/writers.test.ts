import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { continueTrace, runInContext } from '@plataforma/observe';
import { createTestDatabase, eventually } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import { type Database, openDatabase } from '../src/index.ts';
import { holdLock } from './support/hold-lock.ts';

let database: Database;
let other: Database;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  database = openDatabase({ url, poolSize: 10, log: silent });
  other = openDatabase({ url, poolSize: 1, log: silent });
  await database.query('CREATE TABLE accounts (id uuid, changes integer NOT NULL DEFAULT 0)');
});
afterAll(() => Promise.all([database.close(), other.close()]));

const sandbox = (): Tenant => ({ merchantId: randomUUID(), environment: 'sandbox' });
const asTenant = <T>(tenant: Tenant, work: () => Promise<T>) =>
  runInContext({ traceparent: continueTrace(undefined), tenant }, work);

/** Locks the row of each account until the end of the test. */
async function locked(accounts: Tenant[]) {
  const ids = accounts.map(({ merchantId }) => merchantId);
  await other.query('INSERT INTO accounts SELECT unnest($1::uuid[])', [ids]);
  return holdLock(other, (tx) =>
    tx.query('SELECT 1 FROM accounts WHERE id = ANY ($1::uuid[]) FOR UPDATE', [ids]),
  );
}

const change = ({ merchantId }: Tenant) =>
  database.transaction((tx) =>
    tx.query('UPDATE accounts SET changes = changes + 1 WHERE id = $1', [merchantId]),
  );

test('waiting sandbox transactions leave connections to production and other work', async () => {
  const accounts = [sandbox(), sandbox(), sandbox()];
  const unlock = await locked(accounts);
  const changes = accounts.flatMap((tenant) =>
    Array.from({ length: 40 }, () => asTenant(tenant, () => change(tenant))),
  );
  await eventually(async () => expect(database.connections()).toMatchObject({ busy: 6, inLine: 114 }));

  const production: Tenant = { merchantId: randomUUID(), environment: 'production' };
  expect(await asTenant(production, () => database.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  expect(await asTenant(production, () => change(production))).toEqual([]);
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);

  await unlock();
  await Promise.all(changes);
  expect(await database.query('SELECT sum(changes)::integer AS all FROM accounts')).toEqual([{ all: 120 }]);
});

test('a statement beside its request’s own transaction waits for no slot', async () => {
  const tenant = sandbox();
  const nested = () =>
    database.transaction(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return database.query('SELECT 1 AS one');
    });

  const answers = await Promise.all(Array.from({ length: 12 }, () => asTenant(tenant, nested)));
  expect(answers).toEqual(Array(12).fill([{ one: 1 }]));
});
