import type pg from 'pg';

/**
 * Lists tables, views and sequences with the rights of the application's role (`$1`). A table with a trigger
 * `<table>_append_only` is append-only. So is a view of such a table, because a write through the view needs
 * no right to the table.
 */
const RELATIONS = `
  SELECT c.oid, c.relowner,
    CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
    ARRAY(SELECT DISTINCT a.privilege_type COLLATE "C" FROM aclexplode(c.relacl) a JOIN pg_roles r
    ON r.oid = a.grantee
      WHERE r.rolname = $1 ORDER BY 1) AS granted,
    c.relname IN ('knex_migrations', 'knex_migrations_lock') AS is_of_migrations,
    EXISTS (SELECT FROM pg_trigger t JOIN pg_class guarded ON guarded.oid = t.tgrelid
      WHERE t.tgname = (guarded.relname || '_append_only')::name AND guarded.oid IN (
        WITH RECURSIVE behind AS (
          SELECT c.oid
          UNION SELECT d.refobjid FROM behind JOIN pg_rewrite rule ON rule.ev_class = behind.oid
            JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = rule.oid
              AND d.refclassid = 'pg_class'::regclass)
        SELECT oid FROM behind)) AS is_append_only
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S')
  AND NOT c.relispartition`;

/**
 * The rights that the role needs on each relation. They are in alphabetical order, because they are compared
 * with the column `granted`.
 */
const DUE = `
  SELECT relations.*,
    CASE
      WHEN kind = 'SEQUENCE' THEN ARRAY['USAGE']
      WHEN is_of_migrations THEN ARRAY['SELECT']
      WHEN is_append_only THEN ARRAY['INSERT', 'SELECT']
      ELSE ARRAY['DELETE', 'INSERT', 'SELECT', 'UPDATE']
    END AS due
  FROM (${RELATIONS}) AS relations`;

/** Lists the statements that grant missing rights. The list is usually empty when a service starts. */
const MISSING = `
  SELECT format('REVOKE ALL ON %1$s %2$s FROM %4$I; GRANT %3$s ON %1$s %2$s TO %4$I',
    kind, oid::regclass, array_to_string(due, ', '), $1::text) AS statement
  FROM (${DUE}) AS relations
  -- Objects of an extension may have another owner, whose rights this role cannot grant.
  WHERE due IS DISTINCT FROM granted AND pg_has_role(relowner, 'USAGE')
  UNION ALL
  -- Functions that run as their owner, which only the application's role may call.
  SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', p.oid::regprocedure, $1::text) FROM pg_proc p
  WHERE p.pronamespace = current_schema()::regnamespace AND p.prosecdef AND pg_has_role(p.proowner, 'USAGE')
    AND NOT has_function_privilege($1, p.oid, 'EXECUTE')
  UNION ALL
  SELECT format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), $1::text)
  WHERE NOT has_schema_privilege($1, current_schema(), 'USAGE')
  UNION ALL
  -- A database that was created before PostgreSQL 15 still lets every role create objects.
  SELECT format('REVOKE CREATE ON SCHEMA %1$I FROM %2$I, PUBLIC', current_schema(), $1::text)
  WHERE has_schema_privilege($1, current_schema(), 'CREATE')`;

/**
 * Lists the rights that the role must not have but has, for instance as a superuser or as a member of another
 * role.
 */
const EXCESS = `
  SELECT 'change ' || oid::regclass AS what FROM (${RELATIONS}) AS relations
  WHERE is_append_only AND (
    pg_has_role($1, relowner, 'MEMBER')
    OR has_table_privilege($1, oid, 'UPDATE, DELETE, TRUNCATE')
    OR has_any_column_privilege($1, oid, 'UPDATE'))
  UNION ALL
  SELECT 'create in the schema ' || current_schema() WHERE has_schema_privilege($1, current_schema(),
  'CREATE')
  ORDER BY 1`;

/**
 * Grants the application's role its rights on the tables and views of `owner`. The role may read and append
 * to append-only tables, read the tables of migrations, and read and write all others. Throws and grants
 * nothing if the role could then still change an append-only table or create objects in the schema.
 */
export async function grantWork(owner: pg.Client, role: string): Promise<void> {
  await owner.query('BEGIN');
  const missing = await owner.query<{ statement: string }>(MISSING, [role]);
  const statements = missing.rows.map(({ statement }) => statement);
  if (statements.length > 0) await owner.query(statements.join(';\n'));
  const excess = await owner.query<{ what: string }>(EXCESS, [role]);
  if (excess.rows.length > 0) {
    const may = excess.rows.map(({ what }) => what).join(', ');
    throw new Error(`the role ${role} of DATABASE_URL must not be able to, but may: ${may}`);
  }
  await owner.query('COMMIT');
}
