import type { Database } from '@plataforma/data';

/** Runs a statement and returns `done`, or the code and text of its refusal. */
export async function attempt(database: Database, sql: string): Promise<string> {
  return database.queryUnprepared(sql, []).then(
    () => 'done',
    (error) => `${error.code} ${error.message}`,
  );
}
