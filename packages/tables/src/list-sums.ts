import type { Migration } from '@plataforma/data';

interface ListSums {
  /** The name of the view, and the beginning of the names of its tables and functions. */
  name: string;
  table: string;
  /** The columns of text by which a list is filtered. */
  by: readonly string[];
  /** The columns of cents that a list sums. Null counts as 0. */
  cents: readonly string[];
}

/**
 * Returns migrations that count a table's rows and sum their cents per merchant, environment, UTC day of
 * creation and `by`. The second migration adds the rows that are older than the triggers. It uses one
 * snapshot, blocks no writers, and adds nothing when it runs again.
 */
export function listSums(numbers: readonly [own: string, older: string], sums: ListSums): Migration[] {
  const { name, table, by, cents } = sums;
  const groups = ['merchant_id', 'environment', 'day', ...by];
  const counted = ['counted', ...cents];
  const listed = [...groups, ...counted].join(', ');
  const watched = ['merchant_id', 'environment', 'created_at', ...by, ...cents];
  const define = (columns: readonly string[], type: string) =>
    columns.map((column) => `${column} ${type} NOT NULL`);
  const grouped = [
    ...['merchant_id uuid NOT NULL', 'environment text NOT NULL', 'day date NOT NULL'],
    ...define(by, 'text'),
  ];
  const change = (row: 'OLD' | 'NEW', sign: '' | '-') => {
    const values = [
      ...[`${row}.merchant_id`, `${row}.environment`, `(${row}.created_at AT TIME ZONE 'UTC')::date`],
      ...by.map((column) => `${row}.${column}`),
      ...[`${sign}1`, ...cents.map((column) => `${sign} coalesce(${row}.${column}, 0)`)],
    ];
    return `INSERT INTO ${name}_changes VALUES (${values.join(', ')});`;
  };
  const valuesIn = (row: 'OLD' | 'NEW') => watched.map((column) => `${row}.${column}`).join(', ');
  const own = [...by, '1 AS counted', ...cents.map((column) => `coalesce(${column}, 0) AS ${column}`)];
  const summed = counted.map((column) => `sum(${column})`);
  return [
    {
      name: numbers[0],
      sql: `
        CREATE TABLE ${name}_folded (
          ${[...grouped, 'slot smallint NOT NULL', ...define(counted, 'bigint')].join(', ')},
          CONSTRAINT ${name}_pkey PRIMARY KEY (${groups.join(', ')}, slot)
        ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
        CREATE TABLE ${name}_changes (${[...grouped, ...define(counted, 'bigint')].join(', ')}) WITH (
          autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0,
          autovacuum_vacuum_cost_delay = 0);
        CREATE VIEW ${name} AS
          SELECT ${listed} FROM ${name}_folded UNION ALL SELECT ${listed} FROM ${name}_changes;
        -- Runs as its owner: the service's role gets rights on a new table only after the migration.
        CREATE FUNCTION ${name}_append() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
          IF TG_OP = 'UPDATE' AND (${valuesIn('OLD')}) IS NOT DISTINCT FROM (${valuesIn('NEW')})
          THEN RETURN NULL; END IF;
          IF TG_OP <> 'INSERT' THEN ${change('OLD', '-')} END IF;
          IF TG_OP <> 'DELETE' THEN ${change('NEW', '')} END IF;
          RETURN NULL;
        END $$;
        CREATE TRIGGER ${name}_append_insert AFTER INSERT ON ${table}
          FOR EACH ROW EXECUTE FUNCTION ${name}_append();
        CREATE TRIGGER ${name}_append_update AFTER UPDATE OF ${watched.join(', ')} ON ${table}
          FOR EACH ROW EXECUTE FUNCTION ${name}_append();
        CREATE TRIGGER ${name}_append_delete AFTER DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION ${name}_append();`,
    },
    {
      name: numbers[1],
      online: [
        `INSERT INTO ${name}_changes SELECT ${[...groups, ...summed].join(', ')}
          FROM (
            SELECT merchant_id, environment, (created_at AT TIME ZONE 'UTC')::date AS day,
              ${own.join(', ')}
            FROM ${table}
            UNION ALL
            SELECT ${[...groups, ...counted.map((column) => `- ${column}`)].join(', ')} FROM ${name}
          ) AS both_of_them
          GROUP BY ${groups.join(', ')} HAVING ${summed.map((sum) => `${sum} <> 0`).join(' OR ')}`,
      ],
    },
  ];
}
