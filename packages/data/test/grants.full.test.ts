import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sharedTables } from '@plataforma/tables';
import { createTestDatabase, rounds, type TestDatabase } from '@plataforma/testing';
import { attempt as attemptOn, silent } from '@plataforma/testing/fixtures';
import { type Database, migrate, migrateOnStart, openDatabase } from '../src/index.ts';
import { more, notes } from './support/tables.ts';

const release = [notes, sharedTables];

let home: TestDatabase;
let owner: Database;
let application: Database;
const roles: string[] = [];

beforeEach(async () => {
  home = await createTestDatabase();
  owner = openDatabase({ url: home.url, poolSize: 2, log: silent });
  application = openDatabase({ url: home.env.DATABASE_URL, poolSize: 4, log: silent });
});
afterEach(async () => {
  await application.close();
  for (const role of roles.splice(0)) await run(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
  await owner.close();
});

const run = (sql: string) => owner.queryUnprepared(sql, []);

/** Migrates the database as the start of a service does. */
const start = (migrations = release) => migrate(home.url, migrations, home.env.DATABASE_URL);

/** Creates a role that may use only this database. Returns its name and its URL. */
async function newRole(prepare: (role: string) => string): Promise<{ role: string; url: string }> {
  const role = `role_${randomBytes(6).toString('hex')}`;
  await run(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  roles.push(role);
  await run(prepare(role));
  return { role, url: Object.assign(new URL(home.url), { username: role, password: 'secret' }).href };
}

const attempt = (sql: string) => attemptOn(application, sql);

describe('a start', () => {
  test('grants rights on tables that a later release adds', async () => {
    await start();
    expect(await attempt('SELECT FROM more')).toContain('does not exist');

    await start([...release, more]);

    expect(await attempt("INSERT INTO more VALUES ('a')")).toBe('done');
    expect(await attempt('DELETE FROM more')).toBe('done');
    expect(await attempt("INSERT INTO lines VALUES ('a')")).toBe('done');
    expect(await attempt('DELETE FROM lines')).toBe('42501 permission denied for table lines');
  });

  test('grants views like their tables, append-only ones without changes', async () => {
    const views = {
      name: '003_views',
      sql: `
        CREATE VIEW old_notes AS SELECT * FROM notes;
        CREATE VIEW log AS SELECT * FROM audit_log;
        CREATE VIEW log_of_log AS SELECT * FROM log;`,
    };

    await start([...release, views]);

    expect(await attempt("INSERT INTO old_notes (text) VALUES ('a')")).toBe('done');
    expect(await attempt("UPDATE old_notes SET text = 'b'")).toBe('done');
    expect(await attempt('DELETE FROM old_notes')).toBe('done');
    for (const view of ['log', 'log_of_log']) {
      expect(await attempt(`SELECT FROM ${view}`)).toBe('done');
      expect(await attempt(`DELETE FROM ${view}`)).toBe(`42501 permission denied for view ${view}`);
    }
  });

  test('of an older release does not reopen the newer one’s tables', async () => {
    await start([...release, more]);

    await start();

    expect(await attempt("INSERT INTO lines VALUES ('a')")).toBe('done');
    expect(await attempt('UPDATE lines SET text = NULL')).toBe('42501 permission denied for table lines');
  });

  test('completes the grants of a start that died', async () => {
    await migrate(home.url, release);
    expect(await attempt('SELECT FROM notes')).toMatch(/^42501/);

    await start();

    expect(await attempt('SELECT FROM notes')).toBe('done');
  });

  test('without changes writes nothing', async () => {
    const written = "SELECT xmin FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY oid";
    await start();
    const before = await owner.query(written);

    await start();

    expect(await owner.query(written)).toEqual(before);
  });

  test('revokes rights that were granted by hand', async () => {
    await start();
    await run('GRANT ALL ON audit_log, notes TO application; GRANT UPDATE ON knex_migrations TO application');
    await run('GRANT CREATE ON SCHEMA public TO PUBLIC');
    expect(await attempt('DELETE FROM audit_log')).toBe('42501 audit_log is append-only');
    expect(await attempt('TRUNCATE notes')).not.toMatch(/^42501/);

    await start();

    expect(await attempt('TRUNCATE notes')).toMatch(/^42501/);
    expect(await attempt('DELETE FROM audit_log')).toBe('42501 permission denied for table audit_log');
    expect(await attempt('UPDATE knex_migrations SET name = name')).toMatch(/^42501/);
    expect(await attempt('CREATE TABLE mine (id integer)')).toMatch(/^42501/);
  });

  test('of several replicas grants once and disturbs no running work', async () => {
    await start();
    const isDone: boolean[] = [];
    const work = async () => {
      while (isDone.length === 0) await application.query("INSERT INTO notes (text) VALUES ('a')");
    };
    const workers = [work(), work()];

    try {
      for (let round = 0; round < rounds(10); round += 1) {
        await run('GRANT TRUNCATE ON notes TO application');
        await Promise.all([start(), start()]);
      }
    } finally {
      isDone.push(true);
    }

    await expect(Promise.all(workers)).resolves.toBeDefined();
    expect(await attempt('TRUNCATE notes')).toMatch(/^42501/);
  });

  test('works with an owner that is no superuser', async () => {
    const { role, url } = await newRole((name) => `ALTER SCHEMA public OWNER TO ${name}`);
    // Objects of an extension belong to the role that installed the extension.
    await run('CREATE TABLE of_an_extension (id integer)');

    await migrate(url, [...release, more], home.env.DATABASE_URL);

    const [owned] = await owner.query("SELECT tableowner FROM pg_tables WHERE tablename = 'audit_log'");
    expect(owned).toEqual({ tableowner: role });
    expect(await attempt("INSERT INTO notes (text) VALUES ('a')")).toBe('done');
    expect(await attempt('DELETE FROM audit_log')).toBe('42501 permission denied for table audit_log');
    expect(await attempt('SELECT FROM of_an_extension')).toMatch(/^42501/);
    await run(`ALTER SCHEMA public OWNER TO pg_database_owner`);
  });

  test('with a single role grants nothing', async () => {
    await migrate(home.url, release, home.url);
    await migrate(home.url, release);
    await migrate(home.url, release, `${home.url}?application_name=other`);

    const acls = await owner.query(
      "SELECT relacl FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relacl IS NOT NULL",
    );
    expect(acls).toEqual([]);
    await run("INSERT INTO notes (text) VALUES ('a')");
  });
});

describe('the start of a service', () => {
  test('migrates as the owner and works with its own role', async () => {
    await migrateOnStart({ ...home.env, MIGRATE_ON_START: true }, release, 'notes');

    expect(await attempt("INSERT INTO notes (text) VALUES ('a')")).toBe('done');
    expect(await attempt('CREATE TABLE mine (id integer)')).toMatch(/^42501/);
  });

  test('without an owner role needs its own right to migrate', async () => {
    const { DATABASE_URL } = home.env;
    const started = migrateOnStart({ DATABASE_URL, MIGRATE_ON_START: true }, release, 'notes');

    await expect(started).rejects.toMatchObject({ code: '42501' });
    await migrateOnStart({ DATABASE_URL: home.url, MIGRATE_ON_START: true }, release, 'notes');

    expect(await owner.query('SELECT * FROM notes')).toEqual([]);
  });

  test('without permission to migrate changes nothing and names the command', async () => {
    const started = migrateOnStart({ ...home.env, MIGRATE_ON_START: false }, release, 'notes');

    await expect(started).rejects.toThrow('Run this first: node services/notes/src/migrate.ts');
    expect(await owner.query("SELECT FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  });

  test('without grants reports missing rights, not an old schema', async () => {
    await migrate(home.url, release);
    const started = migrateOnStart({ ...home.env, MIGRATE_ON_START: false }, release, 'notes');

    await expect(started).rejects.toThrow('The role of DATABASE_URL may not work with the tables. Run this');
  });
});

describe('a refused start', () => {
  const everything = 'change "Facts", change audit_log, change chain_anchors';

  test.each<[string, (role: string) => string, string]>([
    [
      'is a superuser',
      (role) => `ALTER ROLE ${role} SUPERUSER`,
      `${everything}, create in the schema public`,
    ],
    [
      'is a member of the owner’s role',
      (role) => `GRANT postgres TO ${role}`,
      `${everything}, create in the schema public`,
    ],
    ['inherits a right from another role', (role) => `GRANT pg_write_all_data TO ${role}`, everything],
  ])('grants nothing when the application’s role %s', async (_what, prepare, may) => {
    const { role, url } = await newRole(prepare);

    const started = migrate(home.url, release, url);

    await expect(started).rejects.toThrow(
      `the role ${role} of DATABASE_URL must not be able to, but may: ${may}`,
    );
    const acls = await owner.query('SELECT relacl FROM pg_class WHERE relname = $1', ['notes']);
    expect(acls).toEqual([{ relacl: null }]);
  });

  test('happens when the two addresses name different databases', async () => {
    const other = await createTestDatabase();

    const started = migrate(home.url, release, other.env.DATABASE_URL);

    await expect(started).rejects.toThrow('name different databases');
    expect(await owner.query("SELECT FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  });

  test('happens when the application cannot log in', async () => {
    const wrong = Object.assign(new URL(home.env.DATABASE_URL), { password: 'wrong' }).href;

    await expect(migrate(home.url, release, wrong)).rejects.toMatchObject({ code: '28P01' });
  });
});
