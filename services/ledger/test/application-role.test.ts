import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { openAt, openTestDatabase } from '@plataforma/testing/world';
import { migrations } from '../migrations/index.ts';

let database: Database;

/** Connect with the role that the ledger itself uses, which owns no tables. */
beforeAll(async () => {
  const { env, database: asOwner } = await openTestDatabase(migrations);
  await asOwner.close();
  database = openAt(env.DATABASE_URL);
});
afterAll(() => database.close());

const attempt = (statement: string) =>
  database.queryUnprepared(statement, []).then(
    () => 'done',
    (error) => `${error.code} ${error.message}`,
  );

describe.each([
  ['journal_entries', 'kind'],
  ['journal_lines', 'amount_cents'],
  ['wallet_transactions', 'amount_cents'],
])('the ledger’s database role in %s', (table, column) => {
  test.each([
    `UPDATE ${table} SET ${column} = ${column}`,
    `UPDATE ${table} SET ${column} = ${column} WHERE false`,
    `DELETE FROM ${table}`,
    `TRUNCATE ${table} CASCADE`,
    `SELECT ${column} FROM ${table} FOR UPDATE`,
    `MERGE INTO ${table} USING ${table} AS old ON false WHEN MATCHED THEN DELETE`,
  ])('has no right to %s', async (statement) => {
    expect(await attempt(statement)).toBe(`42501 permission denied for table ${table}`);
  });

  test.each([
    `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
    `ALTER TABLE ${table} DISABLE TRIGGER ${table}_append_only`,
    `ALTER TABLE ${table} DROP COLUMN ${column}`,
    `DROP TRIGGER ${table}_append_only ON ${table}`,
    `DROP TABLE ${table} CASCADE`,
  ])('may not run %s because it owns nothing', async (statement) => {
    expect(await attempt(statement)).toMatch(/^42501 must be owner of /);
  });

  test('may read and append', async () => {
    const [may] = await database.queryUnprepared(
      'SELECT has_table_privilege($1, $2) AS read, has_table_privilege($1, $3) AS append',
      [table, 'SELECT', 'INSERT'],
    );

    expect(may).toEqual({ read: true, append: true });
  });
});

test('the ledger may record a refused debit', async () => {
  const insert = `INSERT INTO debit_answers VALUES (gen_random_uuid(), true)
    ON CONFLICT (id) DO UPDATE SET is_refused = true`;

  expect([await attempt(insert), await attempt('SELECT FROM debit_answers')]).toEqual(['done', 'done']);
});

test('the ledger can’t replace the functions that guard its books', async () => {
  const harmless = 'RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$';

  for (const guard of ['refuse_change', 'refuse_unbalanced_entries']) {
    expect(await attempt(`CREATE OR REPLACE FUNCTION ${guard}() ${harmless}`)).toMatch(/^42501 /);
    expect(await attempt(`DROP FUNCTION ${guard}() CASCADE`)).toMatch(/^42501 must be owner of /);
  }
});
