import pg from 'pg';

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
  say(line: string): void;
}

/** Creates the databases and roles that are missing; an account that may create no roles works as the owner itself. */
export async function ensureDatabases<Name extends string>(
  serverUrl: string,
  { names, nameOf, passwords, say }: Wanted<Name>,
): Promise<DatabaseUrls<Name>> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const owner: Partial<Record<Name, string>> = {};
  const application: Partial<Record<Name, string>> = {};
  try {
    const hasRoles = await mayCreateRoles(client);
    if (!hasRoles) say('The services work as the owner of their databases: its account may create no roles.');
    for (const name of names) {
      const database = nameOf(name);
      const login = { username: `${database}_app`, password: passwords[name] };
      await ensureDatabase(client, database);
      if (hasRoles) await ensureRole(client, login);
      owner[name] = Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href;
      application[name] = Object.assign(new URL(owner[name]), hasRoles ? login : {}).href;
    }
  } finally {
    await client.end();
  }
  return { owner: complete(owner, names), application: complete(application, names) };
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

function complete<Name extends string>(
  urls: Partial<Record<Name, string>>,
  names: readonly Name[],
): Record<Name, string> {
  const isComplete = (some: Partial<Record<Name, string>>): some is Record<Name, string> =>
    names.every((name) => some[name] !== undefined);
  if (isComplete(urls)) return urls;
  throw new Error('a database has no address');
}
