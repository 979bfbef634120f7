import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { ensureDatabases } from '../src/platform/databases.ts';

const names = ['sandbox-psp'] as const;
const server = process.env.TEST_POSTGRES_URL ?? '';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Databases that begin with a name of their own, which goes with the test. */
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
  const ensure = (password = 'one', url = server, ownerPassword?: string) =>
    ensureDatabases(url, {
      names,
      nameOf,
      passwords: { 'sandbox-psp': password },
      ...(ownerPassword && { owners: { 'sandbox-psp': ownerPassword } }),
      say: (line) => said.push(line),
    });
  return { prefix, nameOf, said, ensure };
}

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const whoIs = 'SELECT current_database() AS database, current_user AS role';

describe('the databases of a platform', () => {
  test('have an owner, and each a role of its own that owns nothing', async () => {
    const { prefix, ensure, said } = newPlatform();

    const { owner, application } = await ensure();

    expect(await rows(owner['sandbox-psp'], whoIs)).toEqual([
      { database: `${prefix}_sandbox-psp`, role: 'postgres' },
    ]);
    expect(await rows(application['sandbox-psp'], whoIs)).toEqual([
      { database: `${prefix}_sandbox-psp`, role: `${prefix}_sandbox-psp_app` },
    ]);
    await expect(rows(application['sandbox-psp'], 'CREATE TABLE mine (id integer)')).rejects.toMatchObject({
      code: '42501',
    });
    expect(said).toEqual([]);
  });

  test('are found again, and open to the passwords of the last start only', async () => {
    const { ensure } = newPlatform();
    const first = await ensure();
    await rows(first.owner['sandbox-psp'], "CREATE TABLE kept AS SELECT 'a row' AS text");

    const same = await ensure();
    const other = await ensure('another');

    expect(same).toEqual(first);
    expect(await rows(other.owner['sandbox-psp'], 'SELECT text FROM kept')).toEqual([{ text: 'a row' }]);
    expect(await rows(other.application['sandbox-psp'], whoIs)).toHaveLength(1);
    await expect(rows(first.application['sandbox-psp'], whoIs)).rejects.toMatchObject({ code: '28P01' });
  });

  test('from before there were roles get them, and keep what they hold', async () => {
    const { ensure, nameOf } = newPlatform();
    await rows(server, `CREATE DATABASE "${nameOf('sandbox-psp')}"`);
    const url = Object.assign(new URL(server), { pathname: `/${nameOf('sandbox-psp')}` }).href;
    await rows(url, "CREATE TABLE kept AS SELECT 'a row' AS text");

    const { owner, application } = await ensure();

    expect(await rows(owner['sandbox-psp'], 'SELECT text FROM kept')).toEqual([{ text: 'a row' }]);
    expect(await rows(application['sandbox-psp'], whoIs)).toHaveLength(1);
  });

  test('are the owner’s alone on a server whose account may create no roles, and that is said', async () => {
    const { prefix, ensure, said } = newPlatform();
    await rows(server, `CREATE ROLE "${prefix}" LOGIN CREATEDB PASSWORD 'secret'`);
    closing.unshift(() => rows(server, `DROP ROLE "${prefix}"`));
    const account = Object.assign(new URL(server), { username: prefix, password: 'secret' }).href;

    const { owner, application } = await ensure(undefined, account);

    expect(application).toEqual(owner);
    expect(await rows(application['sandbox-psp'], whoIs)).toEqual([
      { database: `${prefix}_sandbox-psp`, role: prefix },
    ]);
    expect(said).toEqual([expect.stringContaining('may create no roles')]);
  });

  test('are not waited for where the server refuses the account', async () => {
    const { ensure, said } = newPlatform();
    const stranger = Object.assign(new URL(server), { password: 'wrong' }).href;

    await expect(ensure('one', stranger)).rejects.toMatchObject({ code: '28P01' });
    expect(said).toEqual([]);
  });

  test('may be those of an account that is no superuser and may create roles', async () => {
    const { prefix, ensure } = newPlatform();
    await rows(server, `CREATE ROLE "${prefix}" LOGIN CREATEDB CREATEROLE PASSWORD 'secret'`);
    closing.unshift(() => rows(server, `DROP ROLE "${prefix}"`));
    const account = Object.assign(new URL(server), { username: prefix, password: 'secret' }).href;

    await ensure(undefined, account);
    const { application } = await ensure('another', account);

    expect(await rows(application['sandbox-psp'], whoIs)).toMatchObject([
      { role: `${prefix}_sandbox-psp_app` },
    ]);
  });

  test('may have owners of their own, each of whom has its database and no other', async () => {
    const { prefix, ensure } = newPlatform();
    const other = newPlatform();
    await other.ensure();

    await ensure('one', server, 'two');
    const { owner, application } = await ensure('one', server, 'three');

    const { 'sandbox-psp': ownerUrl } = owner;
    expect(await rows(ownerUrl, whoIs)).toMatchObject([{ role: `${prefix}_sandbox-psp_owner` }]);
    await rows(ownerUrl, 'CREATE TABLE mine (id integer)');
    await expect(rows(application['sandbox-psp'], 'SELECT FROM mine')).rejects.toMatchObject({
      code: '42501',
    });
    const stranger = (await other.ensure()).application['sandbox-psp'];
    const elsewhere = Object.assign(new URL(stranger), { pathname: new URL(ownerUrl).pathname }).href;
    await expect(rows(elsewhere, whoIs)).rejects.toMatchObject({ code: '42501' });
    const before = Object.assign(new URL(ownerUrl), { password: 'two' }).href;
    await expect(rows(before, whoIs)).rejects.toMatchObject({ code: '28P01' });
  });
});
