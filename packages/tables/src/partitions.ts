import { isPause, lastDropSql } from './last-drop.ts';

interface Days {
  table: string;
  /** The column of the id that decides the partition. */
  by: string;
  /**
   * The period of a partition. With days, a row without a partition goes to a default partition; with months,
   * it is refused.
   */
  period: 'day';
}

interface Months extends Omit<Days, 'period'> {
  period: 'month';
  /**
   * An SQL condition on a row named `kept`. A month is not dropped while the condition is true for one of its
   * rows.
   */
  keepWhile?: string;
  /** An SQL query of ids. A month is not dropped while the query returns an id of that month. */
  neededBy?: string;
  /** The storage parameters of each partition, because a partitioned table itself has none. */
  storage?: string;
  /**
   * SQL of the time at which the first partition starts. Without it, the first partition takes all older
   * rows.
   */
  from?: string;
}

/** A partitioned table. The UTC day or month in a row's id, a UUID v7, decides the partition. */
export type Partitions = Days | Months;

/** The number of future periods that have a partition in advance. */
export const AHEAD = 3;
const AT_ONCE = 12;
/**
 * The maximum number of rows that one run moves out of the default partition. The limit keeps the run's
 * transaction short.
 */
const PORTION = 50_000;
export const NO_LOCK = 'no lock to drop ';

/**
 * Returns SQL for a migration, to run after CREATE TABLE ... PARTITION BY RANGE of the column `by`. The SQL
 * creates the first partitions, and the function that creates and drops partitions. The function runs with
 * the rights of its owner, because the application's role may not create or drop tables. So it takes no names
 * from its caller and ignores the caller's schemas. Never edit a released function; release a new one
 * instead.
 *
 * One replica at a time runs the function. It fills and indexes a partition before it attaches the partition,
 * which does not block readers or writers of other partitions. A run that does not get a lock at once ends,
 * because other statements would wait behind it. A partition is dropped only when it is old by both the
 * database's and the machine's clock. Months are created by the database's clock alone, so that a machine
 * with a slow clock does not create a dropped month again.
 */
export function partitionsSql(partitions: Partitions): string {
  const { table, period } = partitions;
  const days = `CREATE TABLE ${table}_default PARTITION OF ${table} DEFAULT;`;
  return `
    ${period === 'day' ? days + dayFunctionSql(partitions) : monthsSql(partitions)}
    REVOKE ALL ON FUNCTION ${table}_partitions FROM PUBLIC;
    SELECT ${table}_partitions(36500, now());
  `;
}

const inSchemaSql = (table: string) => `
    DO $$ BEGIN
      EXECUTE format('ALTER FUNCTION ${table}_partitions SET search_path = %I, pg_temp', current_schema());
    END $$;`;

const RETENTION = "greatest(keep_days, 0) * interval '1 day'";
const DECLARE = `
    DECLARE
      start timestamp;
      part text;
      done text[] := '{}';
      kept_since timestamp := (least(now(), machine_now) AT TIME ZONE 'UTC') - ${RETENTION};`;

/** Returns SQL that lists the partitions whose retention has ended, the oldest first. */
const overOf = (table: string, period: string, format: string) => `
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = '${table}'::regclass AND c.relname ~ '^${table}_\\d+$'
          AND to_date(substring(c.relname FROM '\\d+$'), '${format}') + interval '1 ${period}' <= kept_since
        ORDER BY 1`;

/**
 * Returns the SQL of the function that creates and drops partitions by days. A migration also uses it to
 * replace the function of an earlier release. Writers wait while a partition is attached, because PostgreSQL
 * would otherwise refuse rows for the default partition. A day with too many rows to move gets no partition.
 */
export function dayFunctionSql({ table, by }: Omit<Days, 'period'>): string {
  const [lower, upper] = [idAt('start'), idAt("start + interval '1 day'")];
  const areTooMany = `EXISTS (
          SELECT FROM ${table}_default WHERE ${by} >= ${lower} AND ${by} < ${upper} OFFSET ${PORTION})`;
  return `
    CREATE OR REPLACE FUNCTION ${table}_partitions(keep_days integer, machine_now timestamptz) RETURNS text[]
    LANGUAGE plpgsql STRICT SECURITY DEFINER SET lock_timeout = '200ms' AS $body$${DECLARE}
    BEGIN
      IF NOT pg_try_advisory_xact_lock(34, hashtext('${table}')) THEN RETURN done; END IF;

      FOR start IN
        SELECT DISTINCT date_trunc('day', clock AT TIME ZONE 'UTC') + n * interval '1 day'
        FROM unnest(ARRAY[now(), machine_now]) AS clock, generate_series(0, ${AHEAD}) AS n ORDER BY 1
      LOOP
        part := '${table}_' || to_char(start, 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('%I.%I', current_schema(), part)) IS NOT NULL;
        CONTINUE WHEN ${areTooMany};
        LOCK TABLE ONLY ${table} IN SHARE ROW EXCLUSIVE MODE;
        LOCK TABLE ${table}_default IN ACCESS EXCLUSIVE MODE;
        IF ${areTooMany} THEN RETURN done; END IF;
        EXECUTE format('CREATE TABLE %I (LIKE ${table} INCLUDING ALL EXCLUDING IDENTITY)', part);
        EXECUTE format('
          WITH moved AS (DELETE FROM ${table}_default WHERE ${by} >= %L AND ${by} < %L RETURNING *)
          INSERT INTO %I SELECT * FROM moved', ${lower}, ${upper}, part);
        EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part,
        ${lower}, ${upper});
        done := done || ('made ' || part);
      END LOOP;
      IF done <> '{}' THEN RETURN done; END IF;

      DELETE FROM ${table}_default WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table}_default
        WHERE ${by} < ${idAt('kept_since')} LIMIT ${PORTION}));

      FOR part IN${overOf(table, 'day', 'YYYYMMDD')}
      LOOP
        BEGIN
          EXECUTE format('DROP TABLE %I', part);
          RETURN ARRAY['dropped ' || part];
        EXCEPTION WHEN lock_not_available THEN RETURN done;
        END;
      END LOOP;
      RETURN done;
    END $body$;${inSchemaSql(table)}`;
}

/**
 * Returns the SQL of a table with monthly partitions. The created function also adds missed months. It adds
 * only a few in each run, because the clock may be years ahead. It adds no month before the first partition,
 * because older months were dropped. The table's comment records the last drop.
 */
function monthsSql(partitions: Months): string {
  const { table, storage, from } = partitions;
  const now = "now() AT TIME ZONE 'UTC'";
  const [lower, upper] = [idAt('start'), idAt("start + interval '1 month'")];
  const ranges = `(${rangesSql(partitions)})`;
  const storing = storage ? ` WITH (${storage})` : '';
  const lowest = from ? '%L' : 'MINVALUE';
  return `
    DO $$ BEGIN
      EXECUTE
      format('CREATE TABLE %I PARTITION OF ${table} FOR VALUES FROM (${lowest}) TO (%L)${storing}',
        '${table}_' || to_char(${now}, 'YYYYMM'),
        ${from ? `${idAt(from)}, ` : ''}${idAt(`date_trunc('month', ${now}) + interval '1 month'`)});
    END $$;
    CREATE FUNCTION ${table}_partitions(keep_days integer, machine_now timestamptz) RETURNS text[]
    LANGUAGE plpgsql STRICT SECURITY DEFINER SET lock_timeout = '50ms' AS $body$${DECLARE}
      is_kept boolean := false;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(34, hashtext('${table}')) THEN RETURN done; END IF;

      FOR start IN
        SELECT * FROM generate_series(
          least(date_trunc('month', ${now}), (SELECT date_trunc('month', to_timestamp(('x' ||
            left(replace(max(upper::text COLLATE "C"), '-', ''),
            12))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC')
            FROM ${ranges} AS ranges)),
          date_trunc('month', ${now}) + interval '${AHEAD} month', interval '1 month') LIMIT ${AT_ONCE}
      LOOP
        part := '${table}_' || to_char(start, 'YYYYMM');
        CONTINUE WHEN EXISTS (SELECT FROM ${ranges} AS range
          WHERE ${lower} < range.upper AND ${upper} > coalesce(range.lower, ${lower}))
          OR ${lower} < (SELECT lower FROM ${ranges} AS range ORDER BY lower NULLS FIRST LIMIT 1);
        EXECUTE format('CREATE TABLE %I (LIKE ${table} INCLUDING ALL EXCLUDING IDENTITY)${storing}', part);
        EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part,
        ${lower}, ${upper});
        done := done || ('made ' || part);
      END LOOP;
      IF done <> '{}' THEN RETURN done; END IF;

      IF EXISTS (SELECT FROM (${lastDropSql(table)}) AS last
      WHERE ${isPause('last.at', 'least(now(), machine_now)')})
      THEN RETURN done; END IF;

      FOR part IN${overOf(table, 'month', 'YYYYMM')}
      LOOP${whenRetained(partitions, 'CONTINUE')}
        BEGIN
          LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE;
          EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE NOWAIT',
          part);${whenRetained(partitions, 'RETURN done')}
          EXECUTE format('DROP TABLE %I', part);
          EXECUTE format('COMMENT ON TABLE ${table} IS %L',
            'dropped ' || part || to_char(now() AT TIME ZONE 'UTC', '" at "YYYY-MM-DD"T"HH24:MI:SS"Z"'));
          RETURN ARRAY['dropped ' || part];
        EXCEPTION WHEN lock_not_available THEN RETURN ARRAY['${NO_LOCK}' || part];
        END;
      END LOOP;
      RETURN done;
    END $body$;${inSchemaSql(table)}`;
}

/**
 * Returns SQL that runs `then` if the month has rows that must stay. The partition function runs this SQL
 * before it takes locks, and again under the lock, when no row can be added.
 */
function whenRetained(partitions: Months, then: string): string {
  const { keepWhile, neededBy } = partitions;
  const retainedSql = `
        EXECUTE format('SELECT EXISTS (SELECT FROM %I AS kept WHERE ${keepWhile?.replaceAll("'", "''")})',
        part) INTO is_kept;
        IF is_kept THEN ${then}; END IF;`;
  const isNeeded = `
        IF EXISTS (SELECT FROM (${neededBy}) AS needed (at), (${rangesSql(partitions)}) AS range
          WHERE range.name = part AND needed.at >= coalesce(range.lower, needed.at)
          AND needed.at < range.upper)
        THEN ${then}; END IF;`;
  return (keepWhile ? retainedSql : '') + (neededBy ? isNeeded : '');
}

/**
 * Returns SQL of the partitions and their ranges. `lower` is NULL for a partition that takes all older rows.
 */
export function rangesSql({ table }: Partitions): string {
  const bound = (word: string) => `substring(bounds FROM '${word} \\(''([^'']+)''\\)')::uuid`;
  return `SELECT c.relname AS name, ${bound('FROM')} AS lower, ${bound('TO')} AS upper
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) AS bounds
    WHERE i.inhparent = '${table}'::regclass AND bounds <> 'DEFAULT'`;
}

/** Returns SQL of the lowest id whose time is at or after a UTC time without zone. */
export function idAt(time: string): string {
  return `(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
}

/**
 * Returns the SQL condition that a partition exists for an id. `ranges` is a query of `rangesSql` or the name
 * of one.
 */
export function isInRange(value: string, ranges: string): string {
  return `EXISTS (SELECT FROM ${ranges} AS range
          WHERE ${value} >= coalesce(range.lower, ${value}) AND ${value} < range.upper)`;
}
