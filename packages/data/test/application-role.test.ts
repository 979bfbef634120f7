import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { sharedTables, writeAudit } from '@plataforma/tables';
import { createTestDatabase } from '@plataforma/testing';
import { attempt, silent } from '@plataforma/testing/fixtures';
import { type Database, type Migration, migrate, openDatabase } from '../src/index.ts';
import { notes } from './support/tables.ts';

/** The second migration fails unless the application's role may use the table of the first. */
const later: readonly Migration[] = [
  { name: '900_later', sql: 'CREATE TABLE later (text text)' },
  {
    name: '901_online',
    online: [
      `SELECT 1 / count(*) FROM information_schema.role_table_grants
       WHERE table_name = 'later' AND privilege_type = 'INSERT' AND grantee <> current_user`,
    ],
  },
];

let owner: Database;
let application: Database;

beforeAll(async () => {
  const home = await createTestDatabase();
  await migrate(home.url, [notes, sharedTables], home.env.DATABASE_URL);
  owner = openDatabase({ url: home.url, poolSize: 2, log: silent });
  application = openDatabase({ url: home.env.DATABASE_URL, poolSize: 2, log: silent });
});
afterAll(async () => {
  await Promise.all([application.close(), owner.close()]);
});

describe('the application’s role', () => {
  test('reads and writes the tables and uses their sequences', async () => {
    await application.query("INSERT INTO notes (text) VALUES ('a'), ('b')");
    await application.query("UPDATE notes SET text = 'c' WHERE text = 'b'");
    await application.query("DELETE FROM notes WHERE text = 'a'");

    expect(await application.query('SELECT * FROM notes')).toEqual([{ position: 2, number: 2, text: 'c' }]);
  });

  test('appends to append-only tables and reads them', async () => {
    const entry = {
      operatorId: newId(),
      action: 'a.b',
      subjectId: newId(),
      before: {},
      after: {},
      reason: null,
    };

    await application.query("INSERT INTO notes (text) VALUES ('a')");
    await application.query('INSERT INTO "Facts" SELECT gen_random_uuid(), max(position) FROM notes');
    await application.transaction((tx) => writeAudit(tx, entry));

    expect(await application.query('SELECT note FROM "Facts"')).toEqual([{ note: expect.any(Number) }]);
    expect(await application.query('SELECT subject_id FROM audit_log')).toEqual([
      { subject_id: entry.subjectId },
    ]);
  });

  test.each([
    'UPDATE audit_log SET reason = NULL',
    'UPDATE audit_log SET reason = NULL WHERE false',
    'DELETE FROM audit_log',
    'TRUNCATE audit_log',
    'UPDATE "Facts" SET id = id',
    'DELETE FROM "Facts" WHERE false',
    'TRUNCATE "Facts" CASCADE',
    'SELECT FROM "Facts" FOR UPDATE',
    'WITH gone AS (DELETE FROM "Facts" RETURNING id) SELECT id FROM gone',
    'INSERT INTO audit_log SELECT * FROM audit_log ON CONFLICT (id) DO UPDATE SET reason = NULL',
    'MERGE INTO audit_log USING audit_log AS old ON old.id = audit_log.id WHEN MATCHED THEN DELETE',
    'CREATE TRIGGER first BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse()',
    'TRUNCATE notes',
    'UPDATE knex_migrations SET name = name',
    'DELETE FROM knex_migrations_lock',
  ])('has no right to %s', async (statement) => {
    expect(await attempt(application, statement)).toMatch(/^42501 permission denied for table /);
  });

  test.each([
    'ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only',
    'ALTER TABLE audit_log DISABLE TRIGGER ALL',
    'ALTER TABLE audit_log ADD COLUMN note text',
    'ALTER TABLE audit_log OWNER TO CURRENT_USER',
    'DROP TRIGGER audit_log_append_only ON audit_log',
    'DROP TABLE audit_log',
    'CREATE RULE gone AS ON INSERT TO audit_log DO INSTEAD NOTHING',
    'CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    'CREATE TABLE mine (id integer)',
    'CREATE SCHEMA mine',
    'SET session_replication_role = replica',
  ])('may not %s', async (statement) => {
    expect(await attempt(application, statement)).toMatch(/^42501 (must be owner|permission denied)/);
  });

  test('may use a new table before an online migration begins', async () => {
    const home = await createTestDatabase();

    const ran = await migrate(home.url, [notes, sharedTables, ...later], home.env.DATABASE_URL);

    expect(ran.slice(-2)).toEqual(['900_later', '901_online']);
  });

  test('gains nothing by a grant to itself', async () => {
    const granted = await attempt(application, 'GRANT UPDATE ON audit_log TO CURRENT_USER');

    expect(granted).toMatch(/^(done|42501)/);
    expect(await attempt(application, 'UPDATE audit_log SET reason = NULL')).toMatch(
      /^42501 permission denied/,
    );
  });

  test('lists the migrations that have run', async () => {
    const names = (await application.query('SELECT name FROM knex_migrations ORDER BY id')).map(
      ({ name }) => name,
    );

    expect(names).toEqual(['001_notes', 'shared-tables']);
  });

  test('leaves the owner bound by the append-only triggers', async () => {
    await expect(owner.query('UPDATE audit_log SET reason = NULL')).rejects.toMatchObject({
      code: '42501',
      message: 'audit_log is append-only',
    });
  });
});
