import type { CountedTable } from './list-counters.ts';
import { writeNoted } from './list-counters.ts';
import type { Migration } from './migrate.ts';

/** Reads a row of the table, which is OLD, NEW or the table itself. */
export type OfRow = (row: string) => string;

export interface SummedTable {
  /** With merchant_id, environment and the columns `by`, all of them text. */
  table: string;
  by: readonly string[];
  /** Whether a row is summed at all, at which instant, and with which amounts, by their columns. */
  isSummed: OfRow;
  instant: OfRow;
  amounts: Readonly<Record<string, OfRow>>;
  /** The columns that all of these read. */
  reads: readonly string[];
  sums: string;
  /** Counters of the same table. A transaction writes them first: so none waits for another in a circle. */
  after: CountedTable;
}

/** Which slots transactions write to; 8 has what was there before there were sums. */
const SLOTS = 8;

const hourOf = (instant: string) => `date_trunc('hour', ${instant}, 'UTC')`;

/**
 * The table `sums`: what the rows of `table` come to in each hour, by the columns `by`. They are kept as `listCounters`
 * keeps counts: noted by triggers, and written by one statement at COMMIT in the order of keys, to one of eight slots, of
 * which each may fall below zero. Migrations are made of this: it is never edited, a change is another function.
 */
export function hourlySums(name: string, summed: SummedTable): Migration {
  return { name, sql: tableOf(summed) + notingOf(summed) + writingOf(summed) + triggersOf(summed) };
}

const keyOf = ({ by }: SummedTable) => ['merchant_id', 'environment', 'hour', ...by].join(', ');

function tableOf(summed: SummedTable): string {
  const { by, amounts, sums } = summed;
  return `
      CREATE TABLE ${sums} (
        merchant_id uuid NOT NULL,
        environment text NOT NULL,
        hour        timestamptz NOT NULL,
        ${by.map((column) => `${column} text NOT NULL,`).join(' ')}
        slot        smallint NOT NULL,
        ${Object.keys(amounts)
          .map((column) => `${column} bigint NOT NULL,`)
          .join(' ')}
        PRIMARY KEY (${keyOf(summed)}, slot)
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);`;
}

function notingOf(summed: SummedTable): string {
  const { sums } = summed;
  return `
      CREATE FUNCTION ${sums}_add(noted jsonb, key text, change bigint[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
        SELECT noted || jsonb_build_object(key, (
          SELECT jsonb_agg(coalesce((noted -> key ->> (place - 1)::integer)::bigint, 0) + amount ORDER BY place)
          FROM unnest(change) WITH ORDINALITY AS changed (amount, place)))
        $$;

      CREATE FUNCTION ${sums}_note() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          noted jsonb := coalesce(nullif(current_setting('plataforma.${sums}', true), ''), '{}');
        BEGIN
          IF TG_OP <> 'INSERT' THEN${noting(summed, 'OLD', '-')}
          END IF;
          IF TG_OP <> 'DELETE' THEN${noting(summed, 'NEW', '+')}
          END IF;
          PERFORM set_config('plataforma.${sums}', noted::text, true);
          RETURN NULL;
        END $$;`;
}

function writingOf(summed: SummedTable): string {
  const { by, amounts, sums, after } = summed;
  const names = Object.keys(amounts);
  const key = keyOf(summed);
  return `
      CREATE FUNCTION ${sums}_write() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          noted text := current_setting('plataforma.${after.counts}', true);
        BEGIN
          IF coalesce(noted, '') <> '' THEN${writeNoted(after)}
          END IF;
          noted := current_setting('plataforma.${sums}', true);
          IF coalesce(noted, '') = '' THEN RETURN NULL; END IF;
          PERFORM set_config('plataforma.${sums}', '', true);
          INSERT INTO ${sums} AS kept (${key}, slot, ${names.join(', ')})
          SELECT split_part(key, '|', 1)::uuid, split_part(key, '|', 2), split_part(key, '|', 3)::timestamptz,
            ${by.map((_column, index) => `split_part(key, '|', ${index + 4})`).join(', ')}, pg_backend_pid() % ${SLOTS},
            ${names.map((_column, index) => `(value ->> ${index})::bigint`).join(', ')}
          FROM jsonb_each(noted::jsonb) WHERE value <> '${JSON.stringify(names.map(() => 0))}' ORDER BY key
          ON CONFLICT (${key}, slot)
            DO UPDATE SET ${names.map((column) => `${column} = kept.${column} + excluded.${column}`).join(', ')};
          RETURN NULL;
        END $$;`;
}

function triggersOf({ table, by, isSummed, reads, sums }: SummedTable): string {
  const isChanged = ['merchant_id', 'environment', ...by, ...reads]
    .map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`)
    .join(' OR ');
  const isOfConcern = {
    insert: isSummed('NEW'),
    update: `(${isChanged}) AND ((${isSummed('OLD')}) OR (${isSummed('NEW')}))`,
    delete: isSummed('OLD'),
  };
  return Object.entries(isOfConcern)
    .map(
      ([event, when]) => `
      CREATE TRIGGER ${sums}_note_${event} AFTER ${event} ON ${table}
        FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${sums}_note();
      CREATE CONSTRAINT TRIGGER ${sums}_write_${event} AFTER ${event} ON ${table}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${sums}_write();`,
    )
    .join('');
}

function noting({ by, isSummed, instant, amounts, sums }: SummedTable, row: string, sign: '+' | '-'): string {
  const hour = `to_char(${hourOf(instant(row))} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:00:00"Z"')`;
  const key = [`${row}.merchant_id`, `${row}.environment`, hour, ...by.map((column) => `${row}.${column}`)];
  const change = Object.values(amounts).map((amountOf) => `${sign}(${amountOf(row)})`);
  return `
            IF ${isSummed(row)} THEN
              noted := ${sums}_add(noted, concat_ws('|', ${key.join(', ')}), ARRAY[${change.join(', ')}]::bigint[]);
            END IF;`;
}

/**
 * Sums, once, the rows from before the sums, while the release before still writes: one statement sees rows and sums of
 * the same transactions, and what the sums lack is theirs for good.
 */
export function hourlySumsBase(name: string, summed: SummedTable): Migration & { online: readonly string[] } {
  const { table, by, isSummed, instant, amounts, sums } = summed;
  const names = Object.keys(amounts);
  const key = keyOf(summed);
  const lacking = names.map((column) => `coalesce(there.${column}, 0) - coalesce(kept.${column}, 0)`);
  const added = Object.entries(amounts).map(([column, of]) => `sum(${of(table)})::bigint AS ${column}`);
  const kept = names.map((column) => `sum(${column})::bigint AS ${column}`);
  return {
    name,
    online: [
      `INSERT INTO ${sums} (${key}, slot, ${names.join(', ')})
        SELECT ${key}, ${SLOTS}, ${lacking.join(', ')}
        FROM (
          SELECT merchant_id, environment, ${hourOf(instant(table))} AS hour, ${by.join(', ')}, ${added.join(', ')}
          FROM ${table} WHERE ${isSummed(table)}
          GROUP BY 1, 2, 3, ${by.map((_column, index) => index + 4).join(', ')}) AS there
        FULL JOIN (
          SELECT ${key}, ${kept.join(', ')} FROM ${sums} WHERE slot < ${SLOTS} GROUP BY ${key}) AS kept USING (${key})
        WHERE (${lacking.join(', ')}) <> (${names.map(() => '0').join(', ')})
        ON CONFLICT (${key}, slot)
          DO UPDATE SET ${names.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    ],
  };
}
