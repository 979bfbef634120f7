import pg from 'pg';

/** Creates the databases that are missing; answers the URL of each. */
export async function ensureDatabases<Name extends string>(
  serverUrl: string,
  names: readonly Name[],
  nameOf: (name: Name) => string,
): Promise<Record<Name, string>> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const name of names) {
      const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [nameOf(name)]);
      if (known.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(nameOf(name))}`);
    }
  } finally {
    await client.end();
  }
  const urls: Partial<Record<Name, string>> = {};
  for (const name of names)
    urls[name] = Object.assign(new URL(serverUrl), { pathname: `/${nameOf(name)}` }).href;
  return complete(urls, names);
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
