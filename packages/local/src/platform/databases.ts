import pg from 'pg';
import { patiently, START_TIMEOUT_MS } from '../patience.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** SQLSTATE classes: no connection, no room for one, and a server that starts or stops. */
const PASSING = ['08', '53', '57'];

/** The same databases twice: as who owns their tables, and as the role that may only work with them. */
export interface DatabaseUrls<Name extends string> {
  owner: Record<Name, string>;
  application: Record<Name, string>;
}

interface Wanted<Name extends string> {
  names: readonly Name[];
  /** What a database is called on the server; its role is called after it. */
  nameOf(name: Name): string;
  passwords: Record<Name, string>;
  /**
   * Passwords of owners to make, one for each database, who may do nothing on the server but migrate theirs. Without
   * them the account of the server owns all; an account that makes owners must be a superuser's.
   */
  owners?: Record<Name, string>;
  say(line: string): void;
}

/** What a service's database is called on a server that holds those of several platforms. */
export const databaseNameOf = (platform: string, service: string) =>
  `${platform}_${service.replace('-', '_')}`;

/**
 * Creates the databases and roles that are missing; an account that may create no roles works as the owner itself. Waits
 * for a server that does not answer yet.
 */
export async function ensureDatabases<Name extends string>(
  serverUrl: string,
  wanted: Wanted<Name>,
): Promise<DatabaseUrls<Name>> {
  const what = `PostgreSQL at ${new URL(serverUrl).host}`;
  return patiently(() => ensureOnce(serverUrl, wanted), {
    what,
    timeoutMs: START_TIMEOUT_MS,
    isHopeless: (error) =>
      error instanceof pg.DatabaseError && !PASSING.includes(error.code?.slice(0, 2) ?? ''),
    onWait: (reason) => wanted.say(`Waiting for ${what}: ${reason}`),
  });
}

async function ensureOnce<Name extends string>(
  serverUrl: string,
  { names, nameOf, passwords, owners, say }: Wanted<Name>,
): Promise<DatabaseUrls<Name>> {
  const client = await connectTo(serverUrl);
  const owner: Partial<Record<Name, string>> = {};
  const application: Partial<Record<Name, string>> = {};
  try {
    const hasRoles = await mayCreateRoles(client);
    for (const name of names) {
      const database = nameOf(name);
      const login = { username: `${database}_app`, password: passwords[name] };
      await ensureDatabase(client, database);
      if (hasRoles) await ensureRole(client, login);
      const url = Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href;
      const migrator = owners && { username: `${database}_owner`, password: owners[name] };
      if (migrator) {
        await ensureRole(client, migrator);
        await handOver(client, database, { owner: migrator.username, guest: login.username });
      }
      owner[name] = Object.assign(new URL(url), migrator ?? {}).href;
      application[name] = Object.assign(new URL(url), hasRoles ? login : {}).href;
    }
    if (!hasRoles) say('The services work as the owner of their databases: its account may create no roles.');
  } finally {
    await client.end();
  }
  return { owner: complete(owner, names), application: complete(application, names) };
}

async function connectTo(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A connection that is lost between two queries fails the next one.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function mayCreateRoles(client: pg.Client): Promise<boolean> {
  const sql = 'SELECT FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolcreaterole)';
  return (await client.query(sql)).rowCount === 1;
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const known = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (known.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
}

/** The password is set anew each time: the folder that knows it may be younger than the server. */
async function ensureRole(
  client: pg.Client,
  { username, password }: { username: string; password: string },
): Promise<void> {
  const known = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [username]);
  const verb = known.rowCount === 0 ? 'CREATE' : 'ALTER';
  await client.query(
    `${verb} ROLE ${pg.escapeIdentifier(username)} LOGIN PASSWORD ${pg.escapeLiteral(password)}`,
  );
}

/** Nobody else may come in. */
async function handOver(
  client: pg.Client,
  database: string,
  roles: { owner: string; guest: string },
): Promise<void> {
  const name = pg.escapeIdentifier(database);
  await client.query(`ALTER DATABASE ${name} OWNER TO ${pg.escapeIdentifier(roles.owner)}`);
  await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  await client.query(`GRANT CONNECT ON DATABASE ${name} TO ${pg.escapeIdentifier(roles.guest)}`);
}

function complete<Name extends string>(
  urls: Partial<Record<Name, string>>,
  names: readonly Name[],
): Record<Name, string> {
  const isComplete = (some: Partial<Record<Name, string>>): some is Record<Name, string> =>
    names.every((name) => some[name] !== undefined);
  if (isComplete(urls)) return urls;
  throw new Error('a database has no address');
}
