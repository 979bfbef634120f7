import { withDatabase } from '../../src/index.ts';

interface Table {
  name: string;
  columns: string;
}

const TABLES = `
  SELECT format('%I', relname) AS name, string_agg(format('%I', attname), ', ' ORDER BY attnum) AS columns
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
  AND attgenerated = ''
  GROUP BY relname`;

/**
 * Copies all tables of a database in one snapshot. The returned function restores the tables with disabled
 * triggers. The service must be stopped during the restore.
 */
export async function backUp(url: string): Promise<() => Promise<void>> {
  const tables = await withDatabase(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { rows } = await client.query<Table>(TABLES);
    await client.query('CREATE SCHEMA backup');
    for (const { name } of rows) await client.query(`CREATE TABLE backup.${name} AS TABLE public.${name}`);
    await client.query('COMMIT');
    return rows;
  });
  return () =>
    withDatabase(url, async (client) => {
      await client.query('BEGIN');
      await client.query('SET LOCAL session_replication_role = replica');
      for (const { name, columns } of tables) {
        await client.query(`DELETE FROM public.${name}`);
        const all = `INSERT INTO public.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns}
          FROM backup.${name}`;
        await client.query(all);
      }
      await client.query('DROP SCHEMA backup CASCADE');
      await client.query('COMMIT');
    });
}
