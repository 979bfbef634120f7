import { noteDrop, pause } from './last-drop.ts';

/** A partitioned table: a row goes with the UTC day or month that it is of. */
export interface Partitions {
  table: string;
  /** The column that says of which: a time, or a UUID v7, whose time counts. */
  by: { time: string } | { uuid7: string };
  period: 'day' | 'month';
  /**
   * Rows of a period that has no partition are kept in a default one, until theirs is made. Left out, they are refused.
   */
  hasDefault?: true;
  /** Of a row `kept`, in SQL: as long as it is true of any, the row's partition is not dropped. */
  keptWhile?: string;
  /** A query, in SQL, of times or ids that are needed elsewhere: the partition that one of them falls into is not dropped. */
  neededBy?: string;
  /** Storage parameters of a partition, because a partitioned table has none. */
  storage?: string;
  /** The time, in SQL, from which the first month takes rows; left out, it takes all older rows. */
  from?: string;
}

/** How many periods after the present one have their partition in advance. */
export const AHEAD = 3;
const AT_ONCE = 12;
/** What one run takes out of the default partition at most, so that its transaction stays short. */
const PORTION = 50_000;
/** Whoever wants the table waits behind the one that waits for its lock. */
const LOCK_MS = 200;
const MONTH_LOCK_MS = 50;
export const NO_LOCK = 'no lock to drop ';

/**
 * For a migration, after a table PARTITION BY RANGE of that column: its first partitions, and the function that makes
 * and drops them. The function runs as its owner, because the application's role may create and drop nothing; so it
 * takes no name from its caller and reads no schema of it. Never edited once released: a change is another function.
 */
export function partitionsSql(partitions: Partitions): string {
  const { table, hasDefault, period } = partitions;
  const name = `${table}_partitions`;
  return `
    ${hasDefault ? `CREATE TABLE ${defaultOf(table)} PARTITION OF ${table} DEFAULT;` : ''}
    ${period === 'month' ? firstMonthSql(partitions) : ''}
    CREATE FUNCTION ${name}(keep_days integer, machine_now timestamptz) RETURNS text[] ${functionOf(partitions)};
    DO $$ BEGIN
      EXECUTE format('ALTER FUNCTION ${name} SET search_path = %I, pg_temp', current_schema());
    END $$;
    REVOKE ALL ON FUNCTION ${name} FROM PUBLIC;
    SELECT ${name}(36500, now());
  `;
}

function firstMonthSql(partitions: Partitions): string {
  const { table, from, storage } = partitions;
  const now = "now() AT TIME ZONE 'UTC'";
  const upper = boundOf(partitions, `date_trunc('month', ${now}) + interval '1 month'`);
  return `DO $$ BEGIN
      EXECUTE format('CREATE TABLE %I PARTITION OF ${table} FOR VALUES FROM (${from ? '%L' : 'MINVALUE'}) TO (%L)${withStorage(storage)}',
        ${nameOf(partitions, now)}, ${from ? `${boundOf(partitions, from)}, ` : ''}${upper});
    END $$;`;
}

const withStorage = (storage: string | undefined) => (storage ? ` WITH (${storage})` : '');

/**
 * Runs in one replica at a time. A partition is filled and indexed before it is attached, which blocks no readers or
 * writers of others. A run that gets no lock at once ends, because others would wait behind it. A dropped partition is
 * old by both clocks. Months follow the database's clock alone, so that a late machine does not make a forgotten one.
 */
function functionOf(partitions: Partitions): string {
  const { table, period, hasDefault, storage } = partitions;
  const isMonth = period === 'month';
  const [lower, upper] = [
    boundOf(partitions, 'start'),
    boundOf(partitions, `start + interval '1 ${period}'`),
  ];
  return `
    LANGUAGE plpgsql STRICT SECURITY DEFINER SET lock_timeout = '${isMonth ? MONTH_LOCK_MS : LOCK_MS}ms' AS $body$
    DECLARE
      start timestamp;
      part text;
      done text[] := '{}';
      kept_since timestamp := (least(now(), machine_now) AT TIME ZONE 'UTC') - greatest(keep_days, 0) * interval '1 day';
      is_kept boolean := false;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(34, hashtext('${table}')) THEN RETURN done; END IF;

      FOR start IN
        ${isMonth ? wantedMonths(partitions) : wantedDays}
      LOOP
        part := ${nameOf(partitions, 'start')};
        CONTINUE WHEN ${isMonth ? isTaken(partitions, { lower, upper }) : "to_regclass(format('%I.%I', current_schema(), part)) IS NOT NULL"};
        ${hasDefault ? lockDefault(partitions, { lower, upper }) : ''}
        EXECUTE format('CREATE TABLE %I (LIKE ${table} INCLUDING ALL EXCLUDING IDENTITY)${withStorage(storage)}', part);
        ${hasDefault ? moveOutOfDefault(partitions, { lower, upper }) : ''}
        EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, ${lower}, ${upper});
        done := done || ('made ' || part);
      END LOOP;
      IF done <> '{}' THEN RETURN done; END IF;
      ${hasDefault ? forgetInDefault(partitions) : ''}${isMonth ? pause(table) : ''}

      FOR part IN
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = '${table}'::regclass AND c.relname ~ '^${table}_\\d+$'
          AND to_date(substring(c.relname FROM '\\d+$'), '${formatOf(partitions)}') + interval '1 ${period}' <= kept_since
        ORDER BY 1
      LOOP${dropUnlessKept(partitions)}
      END LOOP;
      RETURN done;
    END $body$`;
}

const wantedDays = `SELECT DISTINCT date_trunc('day', clock AT TIME ZONE 'UTC') + n * interval '1 day'
        FROM unnest(ARRAY[now(), machine_now]) AS clock, generate_series(0, ${AHEAD}) AS n ORDER BY 1`;

/**
 * Also months that were never made, because no service ran for so long: above the last one nothing has been dropped. A
 * clock that is years ahead makes some of them at a time, until it is right again.
 */
function wantedMonths(partitions: Partitions): string {
  const now = "date_trunc('month', now() AT TIME ZONE 'UTC')";
  const last =
    'time' in partitions.by
      ? "max(upper) AT TIME ZONE 'UTC'"
      : `to_timestamp(('x' || left(replace(max(upper::text COLLATE "C"), '-', ''), 12))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC'`;
  return `SELECT * FROM generate_series(
          least(${now}, (SELECT date_trunc('month', ${last}) FROM (${rangesSql(partitions)}) AS ranges)),
          ${now} + interval '${AHEAD} month', interval '1 month') LIMIT ${AT_ONCE}`;
}

interface Bounds {
  lower: string;
  upper: string;
}

/**
 * A writer that had found its way to the default partition would be refused there once the new one is attached; so writers
 * wait for it at the table. Rows that are too many to be moved within a transaction stay, and nobody waits for that: where
 * they have become too many before the lock, the run ends at once.
 */
function lockDefault({ table, by }: Partitions, { lower, upper }: Bounds): string {
  const [column] = Object.values(by);
  const areTooMany = `EXISTS (
          SELECT FROM ${defaultOf(table)} WHERE ${column} >= ${lower} AND ${column} < ${upper} OFFSET ${PORTION})`;
  return `
        CONTINUE WHEN ${areTooMany};
        LOCK TABLE ONLY ${table} IN SHARE ROW EXCLUSIVE MODE;
        LOCK TABLE ${defaultOf(table)} IN ACCESS EXCLUSIVE MODE;
        IF ${areTooMany} THEN RETURN done; END IF;`;
}

function moveOutOfDefault({ table, by }: Partitions, { lower, upper }: Bounds): string {
  const [column] = Object.values(by);
  return `
        EXECUTE format('
          WITH moved AS (DELETE FROM ${defaultOf(table)} WHERE ${column} >= %L AND ${column} < %L RETURNING *)
          INSERT INTO %I SELECT * FROM moved', ${lower}, ${upper}, part);`;
}

function forgetInDefault(partitions: Partitions): string {
  const { table, by, keptWhile = 'false' } = partitions;
  const [column] = Object.values(by);
  return `
      DELETE FROM ${defaultOf(table)} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${defaultOf(table)} AS kept
        WHERE ${column} < ${boundOf(partitions, 'kept_since')} AND (${keptWhile}) IS NOT TRUE LIMIT ${PORTION}));`;
}

/**
 * Who must be kept is looked for before anyone has to wait, and once more when nothing can enter any longer; of the
 * partition, which others use by way of its table alone, the lock is there at once, or its autovacuum has it.
 */
function dropUnlessKept(partitions: Partitions): string {
  const { table, keptWhile, neededBy, period } = partitions;
  const drop = `EXECUTE format('DROP TABLE %I', part);${period === 'month' ? noteDrop(table) : ''}`;
  if (keptWhile === undefined && neededBy === undefined)
    return `
        BEGIN
          ${drop}
          RETURN ARRAY['dropped ' || part];
        EXCEPTION WHEN lock_not_available THEN RETURN done;
        END;`;
  const whenKept = (then: string) =>
    `${
      keptWhile === undefined
        ? ''
        : `
        EXECUTE format('SELECT EXISTS (SELECT FROM %I AS kept WHERE ${keptWhile.replaceAll("'", "''")})', part) INTO is_kept;
        IF is_kept THEN ${then}; END IF;`
    }${
      neededBy === undefined
        ? ''
        : `
        IF EXISTS (SELECT FROM (${neededBy}) AS needed (at), (${rangesSql(partitions)}) AS range
          WHERE range.name = part AND needed.at >= coalesce(range.lower, needed.at) AND needed.at < range.upper)
        THEN ${then}; END IF;`
    }`;
  return `${whenKept('CONTINUE')}
        BEGIN
          LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE;
          EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE NOWAIT', part);${whenKept('RETURN done')}
          ${drop}
          RETURN ARRAY['dropped ' || part];
        EXCEPTION WHEN lock_not_available THEN RETURN ARRAY['${NO_LOCK}' || part];
        END;`;
}

/** What each partition takes, in SQL, by the catalogue: `lower` is NULL where it takes all that is older. */
export function rangesSql({ table, by }: Partitions): string {
  const type = 'time' in by ? 'timestamptz' : 'uuid';
  const bound = (word: string) => `substring(bounds FROM '${word} \\(''([^'']+)''\\)')::${type}`;
  return `SELECT c.relname AS name, ${bound('FROM')} AS lower, ${bound('TO')} AS upper
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) AS bounds
    WHERE i.inhparent = '${table}'::regclass AND bounds <> 'DEFAULT'`;
}

/**
 * Whether a partition takes any of that, because the first one need not begin with a month; or took it: what is before all
 * of them was dropped, and is not made again for a clock of the database that is months late.
 */
function isTaken(partitions: Partitions, { lower, upper }: Bounds): string {
  const ranges = `(${rangesSql(partitions)})`;
  return `EXISTS (SELECT FROM ${ranges} AS range
          WHERE ${lower} < range.upper AND ${upper} > coalesce(range.lower, ${lower}))
          OR ${lower} < (SELECT lower FROM ${ranges} AS range ORDER BY lower NULLS FIRST LIMIT 1)`;
}

/** Whether a value has a partition, in SQL: of `ranges`, which is such a query or the name of one. */
export function isInRange(value: string, ranges: string): string {
  return `EXISTS (SELECT FROM ${ranges} AS range
          WHERE ${value} >= coalesce(range.lower, ${value}) AND ${value} < range.upper)`;
}

/** The first value that is of no earlier time, in SQL, of a UTC time without zone. */
export function boundOf({ by }: Pick<Partitions, 'by'>, time: string): string {
  if ('time' in by) return `((${time}) AT TIME ZONE 'UTC')`;
  return `(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
}

function defaultOf(table: string): string {
  return `${table}_default`;
}

function nameOf(partitions: Partitions, start: string): string {
  return `'${partitions.table}_' || to_char(${start}, '${formatOf(partitions)}')`;
}

function formatOf({ period }: Partitions): string {
  return period === 'day' ? 'YYYYMMDD' : 'YYYYMM';
}
