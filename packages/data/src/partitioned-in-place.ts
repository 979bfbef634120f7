import type { Migration } from './migrate.ts';
import { boundOf, nameOf, type Partitions, partitionsFunctionSql } from './partitions.ts';

/** A table that has rows already. Without an index that begins with its column all of it is read, beside writers. */
export interface InPlace extends Omit<Partitions, 'hasDefault'> {
  /**
   * The first value that is taken, in SQL: rows before it, of which releases before may have pruned some, are deleted, and
   * of the others they prune none any more. Left out, the first partition takes all that is older.
   */
  from?: string;
  /** Its indexes, by name, that only the first partition has: what can't be unique over partitions, or serves no more. */
  without?: readonly string[];
}

/**
 * For how long writers find their partition while these steps are interrupted: the first one takes the periods up to the
 * one that this leads into.
 */
const MARGIN = "interval '31 days'";
/** Writers of a table wait behind who waits for it, and then for what is done under the lock. */
const LOCK_MS = 50;

/**
 * The steps after which tables are partitioned, and not a row has moved: each becomes its first partition, with its
 * indexes and under the name of the last period it takes, below a new table of its name that has its columns, checks,
 * grants, numbers and the same indexes. What it may hold is checked beside writers before; then writers wait for some
 * catalogue rows, of one table after the other: between two steps that must not be one transaction is one that is online.
 * Autovacuum, which gives way only after a second, is kept off until then. No table of these is referenced by others or
 * has triggers. Migrations are made of this: it is never edited once released.
 */
export function partitionedInPlace(name: string, tables: readonly InPlace[]): Migration[] {
  return tables.flatMap((partitions, at) => {
    const { table } = partitions;
    return [
      // What would stop one of the others is found before the first is changed.
      {
        name: `${name}_${table}_bounds`,
        online: [...tables.slice(at).map(lookSql), ...boundsSql(partitions)],
      },
      {
        name: `${name}_${table}`,
        sql: `SET LOCAL lock_timeout = '${LOCK_MS}ms';
        LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE;
        ${adoptSql(partitions)}`,
      },
      {
        name: `${name}_${table}_ahead`,
        online: [
          `DROP FUNCTION IF EXISTS ${table}_partitions;
          ${partitionsFunctionSql({ ...partitions, isAdopted: true })}`,
          `SELECT ${table}_partitions(36500, now())`,
          `ANALYZE ${table}`,
        ],
      },
    ];
  });
}

/** From then on the database itself keeps the pause between two drops, for replicas of releases before, too. */
export function pausedInPlace(name: string, tables: readonly InPlace[]): Migration {
  return {
    name,
    sql: tables
      .map((table) => partitionsFunctionSql({ ...table, isAdopted: true, isPaused: true }))
      .join('\n'),
  };
}

const lastOf = ({ period }: InPlace) => `date_trunc('${period}', (now() AT TIME ZONE 'UTC') + ${MARGIN})`;
const upperOf = (partitions: InPlace) =>
  boundOf(partitions, `${lastOf(partitions)} + interval '1 ${partitions.period}'`);

/** What would make one of the next steps fail, or be missed after them, is found before there is a first one. */
function lookSql(partitions: InPlace): string {
  const { table, from, neededBy } = partitions;
  const [column] = Object.values(partitions.by);
  return `DO $$ DECLARE found_one text;
    BEGIN
      SELECT ${column} INTO found_one FROM ${table} WHERE ${column} >= ${upperOf(partitions)} ORDER BY ${column} DESC LIMIT 1;
      IF FOUND THEN RAISE EXCEPTION '${table} has %, which is of a time that is months ahead', found_one; END IF;
      ${
        from && neededBy
          ? `SELECT at INTO found_one FROM (${neededBy}) AS needed (at) WHERE at < (${from}) ORDER BY at LIMIT 1;
      IF FOUND THEN RAISE EXCEPTION '% is still needed, and older than what ${table} takes from now on', found_one; END IF;`
          : ''
      }
    END $$`;
}

/**
 * A CHECK has the name of the partition and its bounds, so that the step that attaches it need not look at a row. One of a
 * try before is of another time. From it on the rows that are taken can't be deleted, before the partition is dropped.
 */
function boundsSql(partitions: InPlace): string[] {
  const { table, from } = partitions;
  const [column] = Object.values(partitions.by);
  return [
    ...(from
      ? [
          `CREATE OR REPLACE FUNCTION ${table}_kept() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
        ]
      : []),
    `ALTER TABLE ${table} SET (autovacuum_enabled = false)`,
    `DO $$ DECLARE former name; lower text${from ? ` := (${from})` : ''};
    BEGIN
      PERFORM set_config('lock_timeout', '${LOCK_MS}ms', true);
      LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE;
      ${checkSql(table, 'INTO former')};
      IF FOUND THEN EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT %I', former); END IF;
      EXECUTE format('ALTER TABLE ${table} ADD CONSTRAINT %I CHECK (${from ? `${column} >= %L AND ` : ''}${column} < %L) NOT VALID',
        ${nameOf(partitions, lastOf(partitions))}, ${from ? 'lower, ' : ''}${upperOf(partitions)});
      IF lower IS NOT NULL THEN
        EXECUTE format('CREATE OR REPLACE TRIGGER ${table}_kept BEFORE DELETE ON ${table}
          FOR EACH ROW WHEN (OLD.${column} >= %L) EXECUTE FUNCTION ${table}_kept()', lower);
      END IF;
    END $$`,
    `DO $$ DECLARE check_name name; lower text;
    BEGIN
      ${checkSql(table, 'INTO check_name, lower')};
      IF lower IS NOT NULL THEN EXECUTE format('DELETE FROM ${table} WHERE ${column} < %L', lower); END IF;
    END $$`,
    `DO $$ DECLARE check_name name;
    BEGIN
      ${checkSql(table, 'INTO check_name')};
      EXECUTE format('ALTER TABLE ${table} VALIDATE CONSTRAINT %I', check_name);
    END $$`,
  ];
}

function checkSql(table: string, into = ''): string {
  const bound = (operator: string) => `substring(text FROM '${operator} ''([^'']+)''')`;
  return `SELECT conname, ${bound('>=')}, ${bound('<')} ${into} FROM pg_constraint, pg_get_constraintdef(oid) AS text
        WHERE conrelid = '${table}'::regclass AND conname ~ '^${table}_\\d+$'`;
}

function adoptSql({ table, by, without = [] }: InPlace): string {
  const [column] = Object.values(by);
  const others = without.map((index) => `'${index}'`).join(', ');
  return `
    DO $adopt$
    DECLARE
      part name; lower text; upper text;
      number name; numbered text; next_number bigint;
      indexes text[]; grants text[]; statement text;
    BEGIN
      ${checkSql(table, 'INTO STRICT part, lower, upper')};
      SELECT attname, CASE attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END INTO number, numbered
      FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attidentity <> '';
      IF number IS NOT NULL THEN
        next_number := nextval(pg_get_serial_sequence('${table}', number));
        EXECUTE format('ALTER TABLE ${table} ALTER %I DROP IDENTITY', number);
      END IF;

      SELECT array_agg(coalesce('ALTER TABLE ${table} ADD CONSTRAINT ' || quote_ident(conname) || ' ' || pg_get_constraintdef(c.oid),
        pg_get_indexdef(indexrelid)))
      INTO indexes
      FROM pg_index JOIN pg_class i ON i.oid = indexrelid
        LEFT JOIN pg_constraint c ON conindid = indexrelid AND conrelid = indrelid AND contype IN ('p', 'u')
      WHERE indrelid = '${table}'::regclass AND indisvalid AND i.relname <> ALL (ARRAY[${others}]::name[]);
      FOR statement IN
        SELECT format('ALTER INDEX %I RENAME TO %I', relname, regexp_replace(relname, '^${table}', part))
        FROM pg_index JOIN pg_class i ON i.oid = indexrelid WHERE indrelid = '${table}'::regclass
      LOOP EXECUTE statement; END LOOP;

      SELECT array_agg(statements) INTO grants FROM (
        SELECT format('GRANT %1$s ON ${table} TO %2$I; REVOKE ALL ON %3$I FROM %2$I',
          string_agg(privilege_type, ', '), rolname, part) AS statements
        FROM pg_class c, aclexplode(c.relacl) JOIN pg_roles r ON r.oid = grantee
        WHERE c.oid = '${table}'::regclass AND grantee <> c.relowner GROUP BY rolname) AS roles;

      EXECUTE format('ALTER TABLE ${table} RENAME TO %I', part);
      EXECUTE format('CREATE TABLE ${table} (LIKE %I INCLUDING ALL EXCLUDING IDENTITY EXCLUDING INDEXES)
        PARTITION BY RANGE (${column})', part);
      EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT %I', part);
      IF number IS NOT NULL THEN
        EXECUTE format('ALTER TABLE ${table} ALTER %I ADD GENERATED %s AS IDENTITY (START %s)', number, numbered, next_number);
      END IF;
      FOREACH statement IN ARRAY indexes || coalesce(grants, '{}') LOOP EXECUTE statement; END LOOP;
      EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%L)',
        part, coalesce(quote_literal(lower), 'MINVALUE'), upper);
      EXECUTE format('ALTER TABLE %1$I DROP CONSTRAINT %1$I, RESET (autovacuum_enabled)', part);
    END $adopt$;`;
}
