import pg from 'pg';
import { recordOf } from '../record-of.ts';
import { retryWithBackoff, START_TIMEOUT_MS } from '../retry-with-backoff.ts';
import type { DatabasePasswords } from './secrets.ts';
import { createServiceDatabase } from './service-database.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * SQLSTATE classes of temporary errors: no connection (08), no resources (53), and a server that starts or
 * stops (57).
 */
const PASSING = ['08', '53', '57'];

/** The URLs of each service's database, for each of the three roles. */
export interface DatabaseUrls<Name extends string> {
  /** URLs for the server's administrator, which may read and change everything. */
  administrator: Record<Name, string>;
  /** URLs for the role that owns the tables and migrates them. */
  owner: Record<Name, string>;
  /** URLs for the service's role, which may read and change rows but not the schema. */
  application: Record<Name, string>;
}

interface DatabaseOptions<Name extends string> {
  names: readonly Name[];
  /** Returns the name of a service's database. The names of the database's roles begin with the same name. */
  nameOf(name: Name): string;
  passwords: DatabasePasswords<Name>;
  /**
   * True if the server has only this platform's databases. The roles of services then lose access to the
   * databases `postgres` and `template1`.
   */
  isOwnServer?: boolean | undefined;
  say(line: string): void;
}

/** Returns the name of a service's database on a server that several platforms share. */
export const databaseNameOf = (platform: string, service: string) =>
  `${platform}_${service.replace('-', '_')}`;

/**
 * Creates the missing databases and roles, and makes each owner role the owner of tables that an earlier
 * release created. If the server's account may not create roles, all URLs contain that account. Waits for a
 * server that does not answer yet, and throws after `START_TIMEOUT_MS`.
 */
export async function ensureDatabases<Name extends string>(
  serverUrl: string,
  options: DatabaseOptions<Name>,
): Promise<DatabaseUrls<Name>> {
  const target = `PostgreSQL at ${new URL(serverUrl).host}`;
  return retryWithBackoff(() => ensureOnce(serverUrl, options), {
    target,
    timeoutMs: START_TIMEOUT_MS,
    isHopeless: (error) =>
      error instanceof pg.DatabaseError && !PASSING.includes(error.code?.slice(0, 2) ?? ''),
    onWait: (reason) => options.say(`Waiting for ${target}: ${reason}`),
  });
}

async function ensureOnce<Name extends string>(
  serverUrl: string,
  { names, nameOf, passwords, isOwnServer, say }: DatabaseOptions<Name>,
): Promise<DatabaseUrls<Name>> {
  const urlOf = (name: Name, login?: { username: string; password: string }) =>
    Object.assign(new URL(serverUrl), { pathname: `/${nameOf(name)}`, ...login }).href;
  const loginOf = (name: Name, role: 'owner' | 'application') => ({
    username: `${nameOf(name)}_${role === 'owner' ? 'owner' : 'app'}`,
    password: passwords[role][name],
  });
  const administrator = recordOf(names, (name) => urlOf(name));
  const client = await connectTo(serverUrl);
  try {
    if (!(await mayCreate(client))) {
      for (const name of names) await ensureDatabase(client, nameOf(name));
      say('The services own their databases: the account of the server may not create roles and databases.');
      return { administrator, owner: administrator, application: administrator };
    }
    if (isOwnServer) await client.query('REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC');
    for (const name of names) {
      const [owner, app] = [loginOf(name, 'owner'), loginOf(name, 'application')];
      await createServiceDatabase(client, {
        ...{ name: nameOf(name), owner: owner.username, app: app.username },
        ...{ owner_password: owner.password, app_password: app.password },
      });
      await handOver(administrator[name], owner.username);
    }
  } finally {
    await client.end();
  }
  const ofRole = (role: 'owner' | 'application') =>
    recordOf(names, (name) => urlOf(name, loginOf(name, role)));
  return { administrator, owner: ofRole('owner'), application: ofRole('application') };
}

async function connectTo(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // An error between two queries is ignored here, because the next query fails with the same cause.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function mayCreate(client: pg.Client): Promise<boolean> {
  const sql =
    'SELECT FROM pg_roles WHERE rolname = current_user AND (rolsuper OR (rolcreaterole AND rolcreatedb))';
  return (await client.query(sql)).rowCount === 1;
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const existing = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (existing.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
}

/**
 * The SQL that finds objects with another owner. It skips sequences of columns, which follow their tables,
 * and objects of extensions, which keep their owner.
 */
const OTHERS_OBJECTS = `
  WITH bound AS (SELECT classid, objid, deptype FROM pg_depend WHERE deptype IN ('a', 'e', 'i')),
    objects AS (
      SELECT 'SCHEMA' AS kind, quote_ident(nspname) AS name, nspowner AS owner FROM pg_namespace
      WHERE nspname = 'public' AND nspowner <> 'pg_database_owner'::regrole
      UNION ALL
      SELECT 'TABLE', c.oid::regclass::text, relowner FROM pg_class c
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT EXISTS (
        SELECT FROM bound WHERE classid = 'pg_class'::regclass AND objid = c.oid AND (relkind = 'S'
        OR deptype = 'e'))
      UNION ALL
      SELECT 'ROUTINE', p.oid::regprocedure::text, proowner FROM pg_proc p
      WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (
        SELECT FROM bound WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'))
  SELECT format('ALTER %s %s OWNER TO %I', kind, name, $1::text) AS statement
  FROM objects WHERE owner <> (SELECT oid FROM pg_roles WHERE rolname = $1)`;

/**
 * Makes `owner` the owner of the tables and routines, which the server's account owned until release 0.6.0.
 */
async function handOver(url: string, owner: string): Promise<void> {
  const client = await connectTo(url);
  try {
    const { rows } = await client.query<{ statement: string }>(OTHERS_OBJECTS, [owner]);
    // The statements are sent in one message, because PostgreSQL then runs them in one transaction.
    if (rows.length > 0) await client.query(rows.map(({ statement }) => statement).join(';\n'));
  } finally {
    await client.end();
  }
}
