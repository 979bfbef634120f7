import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** The virtual hosts of a run of all test files. Each claim has one to itself. */
export const ALL_VHOSTS = 300;
/** More than any one file claims. */
export const VHOSTS_PER_FILE = 20;

const SEQUENCE = 'claimed_vhosts';

/** One for all databases of a run: to none of them does it bring more than the services grant it. */
const APPLICATION_ROLE = 'application';

export interface TestDatabase {
  /** The owner's, for what a test looks at and puts there. */
  readonly url: string;
  /** What a service is started with: it migrates as the owner, and works as a role that owns nothing. */
  readonly env: { readonly DATABASE_URL: string; readonly MIGRATION_DATABASE_URL: string };
  /** Ends the connections that are still open, too. */
  drop(): Promise<void>;
}

/** A new, empty database in the PostgreSQL of this test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = fromSetup('TEST_POSTGRES_URL');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const application = Object.assign(new URL(url), { username: APPLICATION_ROLE });
  return {
    url: url.href,
    env: { DATABASE_URL: application.href, MIGRATION_DATABASE_URL: url.href },
    async drop() {
      await query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** The URL of a virtual host that nobody else in this run uses. Throws when all are claimed. */
export async function claimVhost(): Promise<string> {
  const [row] = await query(fromSetup('TEST_POSTGRES_URL'), `SELECT nextval('${SEQUENCE}') AS number`);
  return `${fromSetup('TEST_AMQP_URL')}/v${row?.number}`;
}

/** Called once a run, before any test claims a virtual host or a database. */
export async function prepareClaims(postgresUrl: string, vhosts: number): Promise<void> {
  if (vhosts > 0) await query(postgresUrl, `CREATE SEQUENCE ${SEQUENCE} MINVALUE 0 MAXVALUE ${vhosts - 1}`);
  const password = pg.escapeLiteral(decodeURIComponent(new URL(postgresUrl).password));
  await query(postgresUrl, `CREATE ROLE ${APPLICATION_ROLE} LOGIN PASSWORD ${password}`);
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** What jest's global setup tells of the servers of this run. */
export function fromSetup(variable: string): string {
  const value = process.env[variable];
  if (!value)
    throw new Error(`${variable} is missing: run this through jest, whose global setup provides it`);
  return value;
}
