import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@plataforma/testing';
import { type Database, migrate, openDatabase } from '../src/index.ts';
import { silent } from './support/log.ts';

let home: TestDatabase;
let database: Database;

beforeEach(async () => {
  home = await createTestDatabase();
  database = openDatabase({ url: home.url, poolSize: 2, log: silent });
});
afterEach(async () => {
  await database.close();
  await home.drop();
});

const first = {
  name: '001_first',
  sql: 'CREATE TABLE steps (name text); INSERT INTO steps VALUES ($$first$$)',
};
const second = { name: '002_second', sql: 'SELECT pg_sleep(0.1); INSERT INTO steps VALUES ($$second$$)' };
const broken = { name: '003_broken', sql: 'INSERT INTO steps VALUES ($$third$$); SELECT no_such_function()' };

async function steps(): Promise<unknown[]> {
  return (await database.query('SELECT name FROM steps ORDER BY name')).map(({ name }) => name);
}

describe('a migration', () => {
  test('runs once, however often it is asked for', async () => {
    await migrate(home.url, [first]);
    await migrate(home.url, [first, second]);
    await migrate(home.url, [first, second]);

    expect(await steps()).toEqual(['first', 'second']);
  });

  test('runs once when replicas start together', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(home.url, [first, second])));

    expect(await steps()).toEqual(['first', 'second']);
  });

  test('is not kept from running by the lock row of a replica that died', async () => {
    await migrate(home.url, [first]);
    await database.query('UPDATE knex_migrations_lock SET is_locked = 1');

    await migrate(home.url, [first, second]);

    expect(await steps()).toEqual(['first', 'second']);
  });

  test('that fails leaves nothing of itself, and those after it can run later', async () => {
    await expect(migrate(home.url, [first, broken])).rejects.toThrow('no_such_function');
    await migrate(home.url, [first, second]);

    expect(await steps()).toEqual(['first', 'second']);
  });

  test('that a newer release has run does not keep an older one from starting', async () => {
    await migrate(home.url, [first, second]);

    await migrate(home.url, [first]);

    expect(await steps()).toEqual(['first', 'second']);
  });
});
