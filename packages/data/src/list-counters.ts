import type { Migration } from './migrate.ts';

export interface CountedTable {
  /** With merchant_id, environment, created_at and the columns that its list is filtered by, all of them text. */
  table: string;
  by: readonly string[];
  counts: string;
}

/** Which slots transactions write to; 8 has what was there before there were counters. */
const SLOTS = 8;

/**
 * The table `counts`: how many rows of `table` each merchant and environment has of a UTC day of creation, by the
 * columns `by`. Two writers of a key rarely meet in one of its eight slots, of which one may fall below zero: only the
 * sum says how many there are. What a transaction changed is noted in a setting of its own, which ends with it, and
 * written by one statement at COMMIT in the order of keys, so that no two transactions wait for each other in a circle.
 * Migrations are made of this: it is never edited, a change is another function.
 */
export function listCounters(name: string, { table, by, counts }: CountedTable): Migration {
  const columns = by.join(', ');
  const keyOf = (row: string) =>
    `concat_ws('|', ${row}.merchant_id, ${row}.environment,
        to_char(${row}.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), ${by.map((column) => `${row}.${column}`).join(', ')})`;
  const noting = (row: string, change: string) => `
          key := ${keyOf(row)};
          noted := noted || jsonb_build_object(key, coalesce((noted ->> key)::bigint, 0) ${change});`;
  const isChanged = ['merchant_id', 'environment', 'created_at', ...by]
    .map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`)
    .join(' OR ');
  return {
    name,
    sql: `
      CREATE TABLE ${counts} (
        merchant_id uuid NOT NULL,
        environment text NOT NULL,
        day         date NOT NULL,
        ${by.map((column) => `${column} text NOT NULL`).join(', ')},
        slot        smallint NOT NULL,
        counted     bigint NOT NULL,
        PRIMARY KEY (merchant_id, environment, day, ${columns}, slot)
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

      CREATE FUNCTION ${counts}_note() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          noted jsonb := coalesce(nullif(current_setting('plataforma.${counts}', true), ''), '{}');
          key text;
        BEGIN
          IF TG_OP <> 'INSERT' THEN${noting('OLD', '- 1')}
          END IF;
          IF TG_OP <> 'DELETE' THEN${noting('NEW', '+ 1')}
          END IF;
          PERFORM set_config('plataforma.${counts}', noted::text, true);
          RETURN NULL;
        END $$;

      CREATE FUNCTION ${counts}_write() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          noted text := current_setting('plataforma.${counts}', true);
        BEGIN
          IF coalesce(noted, '') = '' THEN RETURN NULL; END IF;${writeNoted({ table, by, counts })}
          RETURN NULL;
        END $$;

      CREATE TRIGGER ${counts}_note_rows AFTER INSERT OR DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION ${counts}_note();
      CREATE TRIGGER ${counts}_note_changes AFTER UPDATE ON ${table}
        FOR EACH ROW WHEN (${isChanged}) EXECUTE FUNCTION ${counts}_note();
      CREATE CONSTRAINT TRIGGER ${counts}_write_rows AFTER INSERT OR DELETE ON ${table}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${counts}_write();
      CREATE CONSTRAINT TRIGGER ${counts}_write_changes AFTER UPDATE ON ${table}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${isChanged}) EXECUTE FUNCTION ${counts}_write();`,
  };
}

/** Writes what `noted`, a variable, holds of the changes to counters. */
export function writeNoted({ by, counts }: CountedTable): string {
  const columns = by.join(', ');
  return `
          PERFORM set_config('plataforma.${counts}', '', true);
          INSERT INTO ${counts} AS kept (merchant_id, environment, day, ${columns}, slot, counted)
          SELECT split_part(key, '|', 1)::uuid, split_part(key, '|', 2), split_part(key, '|', 3)::date,
            ${by.map((_column, index) => `split_part(key, '|', ${index + 4})`).join(', ')},
            pg_backend_pid() % ${SLOTS}, value::bigint
          FROM jsonb_each_text(noted::jsonb) WHERE value <> '0' ORDER BY key
          ON CONFLICT (merchant_id, environment, day, ${columns}, slot)
            DO UPDATE SET counted = kept.counted + excluded.counted;`;
}

/**
 * Counts, once, the rows from before the counters, while the release before still writes: one statement sees rows and
 * counters of the same transactions, and what the counters lack is theirs for good.
 */
export function listCountersBase(
  name: string,
  { table, by, counts }: CountedTable,
): Migration & { online: readonly string[] } {
  const key = ['merchant_id', 'environment', 'day', ...by].join(', ');
  return {
    name,
    online: [
      `INSERT INTO ${counts} (${key}, slot, counted)
        SELECT ${key}, ${SLOTS}, coalesce(there.counted, 0) - coalesce(kept.counted, 0)
        FROM (
          SELECT merchant_id, environment, (created_at AT TIME ZONE 'UTC')::date AS day, ${by.join(', ')},
            count(*) AS counted
          FROM ${table} GROUP BY ${key}) AS there
        FULL JOIN (
          SELECT ${key}, sum(counted)::bigint AS counted FROM ${counts} WHERE slot < ${SLOTS} GROUP BY ${key}) AS kept
          USING (${key})
        WHERE coalesce(there.counted, 0) <> coalesce(kept.counted, 0)
        ON CONFLICT (${key}, slot) DO UPDATE SET counted = excluded.counted`,
    ],
  };
}
