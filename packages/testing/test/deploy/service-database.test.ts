import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Migration, migrate } from '@plataforma/data';
import pg from 'pg';
import { text } from './composition.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';
const name = `plataforma_${randomBytes(4).toString('hex')}`;
const variables: Record<string, string> = {
  name,
  owner: `${name}_owner`,
  app: `${name}_app`,
  owner_password: 'one',
  app_password: 'two',
};
const migration: Migration = {
  name: '001_notes',
  sql: 'CREATE TABLE notes (text text)',
};

const loginOf = (username: string, password: string) =>
  Object.assign(new URL(server), { pathname: `/${name}`, username, password }).href;
const owner = loginOf(`${name}_owner`, 'one');
const app = loginOf(`${name}_app`, 'two');

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** As psql reads it: without what is for psql, and with variables as names and as strings. */
async function statements(): Promise<string[]> {
  const lines = (await text('deploy/postgres/service-database.sql')).split('\n');
  const sql = lines.filter((line) => !/^(\\|--)/.test(line)).join('\n');
  return sql
    .replace(/:"(\w+)"/g, (_all, variable) => pg.escapeIdentifier(variables[variable] ?? '?'))
    .replace(/:'(\w+)'/g, (_all, variable) => pg.escapeLiteral(variables[variable] ?? '?'))
    .split(';')
    .filter((statement) => statement.trim() !== '');
}

beforeAll(async () => run(server, await statements()));
afterAll(() =>
  run(server, [
    `DROP DATABASE ${name} WITH (FORCE)`,
    `DROP ROLE ${name}_owner, ${name}_app`,
    `DROP ROLE IF EXISTS ${name}_stranger`,
  ]),
);

test('a database from the script is migrated by its owner, and the service works in it and owns nothing', async () => {
  await migrate(owner, [migration], app);

  await run(app, ["INSERT INTO notes VALUES ('a')", 'DELETE FROM notes']);
  await expect(run(app, ['CREATE TABLE mine ()'])).rejects.toMatchObject({ code: '42501' });
  await expect(run(app, ['DROP TABLE notes'])).rejects.toMatchObject({ code: '42501' });
  await expect(run(owner, ['CREATE ROLE another'])).rejects.toMatchObject({ code: '42501' });
});

test('and no other role of the server comes in', async () => {
  await run(server, [`CREATE ROLE ${name}_stranger LOGIN PASSWORD 'three'`]);

  await expect(run(loginOf(`${name}_stranger`, 'three'), [])).rejects.toMatchObject({ code: '42501' });
});
