import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Migration, migrate } from '@plataforma/data';
import pg from 'pg';
import { ensureDatabases } from '../src/platform/databases.ts';

const names = ['sandbox-psp'] as const;
const server = process.env.TEST_POSTGRES_URL ?? '';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/**
 * Returns the names of a new platform's databases, with a random prefix. The databases are dropped at the end
 * of the test.
 */
function newPlatform() {
  const prefix = `Platform-${randomBytes(4).toString('hex')}`;
  const nameOf = (name: (typeof names)[number]) => `${prefix}_${name}`;
  closing.push(async () => {
    for (const name of names.map(nameOf)) {
      await rows(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      await rows(server, `DROP ROLE IF EXISTS "${name}_app", "${name}_owner"`);
    }
  });
  const said: string[] = [];
  const ensure = (password = 'one', url = server) =>
    ensureDatabases(url, {
      names,
      nameOf,
      passwords: { application: { 'sandbox-psp': password }, owner: { 'sandbox-psp': `owner ${password}` } },
      say: (line) => said.push(line),
    });
  return { prefix, nameOf, said, ensure };
}

/**
 * Creates an account of the server that is not a superuser. The account is dropped at the end of the test.
 */
async function newAccount(name: string, rights: string): Promise<string> {
  await rows(server, `CREATE ROLE "${name}" LOGIN ${rights} PASSWORD 'secret'`);
  closing.unshift(() => rows(server, `DROP ROLE "${name}"`));
  return Object.assign(new URL(server), { username: name, password: 'secret' }).href;
}

/**
 * Returns `opens` if the role in the URL may connect to the database, otherwise the SQLSTATE of PostgreSQL's
 * error.
 */
const opens = (url: string, database: string) =>
  rows(Object.assign(new URL(url), { pathname: `/${database}` }).href, whoIs).then(
    () => 'opens',
    (error: pg.DatabaseError) => error.code,
  );

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const EARLIER: Migration = {
  name: '001_notes',
  sql: `
    CREATE TABLE "Notes" (id integer GENERATED ALWAYS AS IDENTITY, month integer,
    text text) PARTITION BY RANGE (month);
    CREATE TABLE notes_1 PARTITION OF "Notes" FOR VALUES FROM (1) TO (2);
    CREATE SEQUENCE numbers;
    CREATE VIEW texts AS SELECT text FROM "Notes";
    CREATE FUNCTION count_notes() RETURNS integer LANGUAGE sql SECURITY DEFINER
      AS 'SELECT count(*)::integer FROM "Notes"'`,
};
const LATER: Migration = {
  name: '002_read',
  sql: 'ALTER TABLE "Notes" ADD COLUMN read boolean NOT NULL DEFAULT false; DROP SEQUENCE numbers',
};

const whoIs = 'SELECT current_database() AS database, current_user AS role';

describe('the databases of a platform', () => {
  test('have an owner for migrations and a role without ownership', async () => {
    const { prefix, ensure, said } = newPlatform();

    const { administrator, owner, application } = await ensure();

    const database = `${prefix}_sandbox-psp`;
    expect(await rows(administrator['sandbox-psp'], whoIs)).toEqual([{ database, role: 'postgres' }]);
    expect(await rows(owner['sandbox-psp'], whoIs)).toEqual([{ database, role: `${database}_owner` }]);
    expect(await rows(application['sandbox-psp'], whoIs)).toEqual([{ database, role: `${database}_app` }]);
    await rows(owner['sandbox-psp'], 'CREATE TABLE mine (id integer)');
    await expect(rows(owner['sandbox-psp'], 'CREATE ROLE more')).rejects.toMatchObject({ code: '42501' });
    for (const sql of ['CREATE TABLE mine (id integer)', 'SELECT FROM mine'])
      await expect(rows(application['sandbox-psp'], sql)).rejects.toMatchObject({ code: '42501' });
    expect(said).toEqual([]);
  });

  test('are closed to the roles of every other database', async () => {
    const [one, other] = [newPlatform(), newPlatform()];
    const urls = [await one.ensure(), await other.ensure()].flatMap(({ owner, application }) => [
      owner['sandbox-psp'],
      application['sandbox-psp'],
    ]);
    const all = [one, other].map(({ nameOf }) => nameOf('sandbox-psp'));

    const found = await Promise.all(urls.map((url) => Promise.all(all.map((name) => opens(url, name)))));

    const [first, second] = [
      ['opens', '42501'],
      ['42501', 'opens'],
    ];
    expect(found).toEqual([first, first, second, second]);
  });

  test('are reused, and accept only the last start’s passwords', async () => {
    const { ensure } = newPlatform();
    const first = await ensure();
    await rows(first.owner['sandbox-psp'], "CREATE TABLE kept AS SELECT 'a row' AS text");

    const same = await ensure();
    const other = await ensure('another');

    expect(same).toEqual(first);
    expect(await rows(other.owner['sandbox-psp'], 'SELECT text FROM kept')).toEqual([{ text: 'a row' }]);
    expect(await rows(other.application['sandbox-psp'], whoIs)).toHaveLength(1);
    for (const { 'sandbox-psp': url } of [first.owner, first.application])
      await expect(rows(url, whoIs)).rejects.toMatchObject({ code: '28P01' });
  });

  test('of an earlier release pass to their owner completely', async () => {
    const { ensure, nameOf } = newPlatform();
    const name = nameOf('sandbox-psp');
    await rows(server, `CREATE DATABASE "${name}"`);
    await rows(server, `CREATE ROLE "${name}_app" LOGIN PASSWORD 'one'`);
    const login = (changes: object) =>
      Object.assign(new URL(server), { pathname: `/${name}`, ...changes }).href;
    const app = login({ username: `${name}_app`, password: 'one' });
    await migrate(login({}), [EARLIER], app);
    await rows(app, 'INSERT INTO "Notes" (month, text) VALUES (1, \'a row\')');

    const urls = await ensure();
    await migrate(urls.owner['sandbox-psp'], [EARLIER, LATER], urls.application['sandbox-psp']);
    const again = await ensure();

    expect(again).toEqual(urls);
    expect(await rows(app, 'SELECT text, read FROM "Notes"')).toEqual([{ text: 'a row', read: false }]);
    expect(await rows(app, 'SELECT count_notes() AS count')).toEqual([{ count: 1 }]);
    const owners = `SELECT DISTINCT relowner::regrole::text AS owner FROM pg_class
      WHERE relnamespace = 'public'::regnamespace
      UNION SELECT proowner::regrole::text FROM pg_proc WHERE proname = 'count_notes'`;
    expect(await rows(app, owners)).toEqual([{ owner: `"${name}_owner"` }]);
  });

  test('belong to a server account that may not create roles', async () => {
    const { prefix, ensure, said } = newPlatform();
    const account = await newAccount(prefix, 'CREATEDB');

    const { owner, application } = await ensure(undefined, account);

    expect(application).toEqual(owner);
    expect(await rows(application['sandbox-psp'], whoIs)).toEqual([
      { database: `${prefix}_sandbox-psp`, role: prefix },
    ]);
    expect(said).toEqual([expect.stringContaining('may not create roles')]);
  });

  test('fail at once when the server refuses the account', async () => {
    const { ensure, said } = newPlatform();
    const stranger = Object.assign(new URL(server), { password: 'wrong' }).href;

    await expect(ensure('one', stranger)).rejects.toMatchObject({ code: '28P01' });
    expect(said).toEqual([]);
  });

  test('get the same roles from an account with CREATEROLE', async () => {
    const { prefix, ensure, nameOf } = newPlatform();
    const account = await newAccount(prefix, 'CREATEDB CREATEROLE');
    await rows(account, `CREATE DATABASE "${nameOf('sandbox-psp')}"`);
    const url = Object.assign(new URL(account), { pathname: `/${nameOf('sandbox-psp')}` }).href;
    await migrate(url, [EARLIER]);

    await ensure(undefined, account);
    const { owner, application } = await ensure('another', account);
    await migrate(owner['sandbox-psp'], [EARLIER, LATER], application['sandbox-psp']);

    expect(await rows(application['sandbox-psp'], whoIs)).toMatchObject([
      { role: `${prefix}_sandbox-psp_app` },
    ]);
    expect(await rows(application['sandbox-psp'], 'SELECT FROM "Notes"')).toEqual([]);
  });
});
