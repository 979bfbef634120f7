import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const SCRIPT = fileURLToPath(new URL('../../../../deploy/postgres/service-database.sql', import.meta.url));
/** The only psql command that matters here: it runs the statements that the query before it returns. */
const GENERATOR = '\\gexec';
const OTHER_LINES = /^(?:--|\\(?!gexec)).*$/gm;
const STATEMENTS = /([^;]+?)\s*(;|\\gexec)$/gm;

/** The script's variables. psql derives the names of the roles, but this code must give them. */
export interface DatabaseVariables {
  name: string;
  owner: string;
  app: string;
  owner_password: string;
  app_password: string;
}

/** Runs the script that operators run with psql, so that every installation has the same roles and grants. */
export async function createServiceDatabase(client: pg.Client, variables: DatabaseVariables): Promise<void> {
  const script = (await readFile(SCRIPT, 'utf8')).replaceAll(OTHER_LINES, '');
  for (const [, statement = '', end] of script.matchAll(STATEMENTS)) {
    const { rows } = await client.query<Record<string, string>>(fill(statement, variables));
    if (end !== GENERATOR) continue;
    for (const generated of rows.flatMap((row) => Object.values(row))) await client.query(generated);
  }
}

function fill(statement: string, variables: DatabaseVariables): string {
  const values = new Map(Object.entries(variables));
  return statement
    .replaceAll(/:"(\w+)"/g, (_all, name) => pg.escapeIdentifier(values.get(name) ?? ''))
    .replaceAll(/:'(\w+)'/g, (_all, name) => pg.escapeLiteral(values.get(name) ?? ''));
}
