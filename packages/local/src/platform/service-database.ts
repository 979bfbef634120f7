import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const SCRIPT = fileURLToPath(new URL('../../../../deploy/postgres/service-database.sql', import.meta.url));
/**
 * The psql command that runs the rows of the previous query's result as statements. The script's other psql
 * commands are not needed here.
 */
const GENERATOR = '\\gexec';
const OTHER_LINES = /^(?:--|\\(?!gexec)).*$/gm;
const STATEMENTS = /([^;]+?)\s*(;|\\gexec)$/gm;

/**
 * The variables of the SQL script. In psql, the script derives `owner` and `app` from `name`. This code does
 * not run psql's commands, so the caller sets all variables.
 */
export interface DatabaseVariables {
  name: string;
  owner: string;
  app: string;
  owner_password: string;
  app_password: string;
}

/**
 * Runs the same script that operators run with psql. Every installation therefore has the same roles and
 * permissions.
 */
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
