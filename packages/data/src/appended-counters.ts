import type { OfRow, SummedTable } from './hourly-sums.ts';
import type { CountedTable } from './list-counters.ts';
import type { Migration } from './migrate.ts';

/** What the rows of a table come to by day or hour, read under the name `counts`. */
export interface Counters {
  table: string;
  counts: string;
  /** Whose amounts, of which day or hour, by what; each with its type. */
  key: Readonly<Record<string, { type: string; of: OfRow }>>;
  amounts: Readonly<Record<string, OfRow>>;
  /** Which rows come to anything; left out, all do. */
  isCounted?: OfRow;
  /** The columns that all of these read. */
  reads: readonly string[];
}

/** The counters of `listCounters`. */
export function countersOf({ table, by, counts }: CountedTable): Counters {
  return {
    table,
    counts,
    key: {
      ...OWNER,
      day: { type: 'date', of: (row) => `(${row}.created_at AT TIME ZONE 'UTC')::date` },
      ...textColumns(by),
    },
    amounts: { counted: () => '1' },
    reads: ['merchant_id', 'environment', 'created_at', ...by],
  };
}

/** The sums of `hourlySums`. */
export function sumsOf({ table, by, isSummed, instant, amounts, reads, sums }: SummedTable): Counters {
  return {
    table,
    counts: sums,
    key: {
      ...OWNER,
      hour: { type: 'timestamptz', of: (row) => `date_trunc('hour', ${instant(row)}, 'UTC')` },
      ...textColumns(by),
    },
    amounts,
    isCounted: isSummed,
    reads: ['merchant_id', 'environment', ...by, ...reads],
  };
}

const textColumns = (names: readonly string[]): Counters['key'] =>
  Object.fromEntries(names.map((name) => [name, { type: 'text', of: (row: string) => `${row}.${name}` }]));

const OWNER: Counters['key'] = {
  merchant_id: { type: 'uuid', of: (row) => `${row}.merchant_id` },
  ...textColumns(['environment']),
};

/** What writers append, until it is folded. */
export const changesOf = (counts: string) => `${counts}_changes`;
export const foldedOf = (counts: string) => `${counts}_folded`;

/**
 * Writers append their changes; the old name becomes a view, which releases from before go on reading. The lock waits for
 * COMMITs that write as before; a weaker one would wait in a circle with readers. Never edited: a change is another function.
 */
export function appendedCounters(name: string, all: readonly Counters[]): Migration {
  const steps = all.flatMap((counters) => [
    dropNoting(counters),
    addChanges(counters),
    addTriggers(counters),
  ]);
  return { name, sql: `LOCK TABLE ${tablesOf(all)} IN ACCESS EXCLUSIVE MODE;${steps.join('')}` };
}

/**
 * The same triggers for less: PostgreSQL reads the tree of a WHEN anew in each statement, and keeps what a function has
 * made of its lines. So UPDATE OF says when to call it, and it compares. Never edited: a change is another function.
 */
export function appendedByColumns(name: string, all: readonly Counters[]): Migration {
  return {
    name,
    sql: `LOCK TABLE ${tablesOf(all)} IN ACCESS EXCLUSIVE MODE;${all.map(compareByColumns).join('')}`,
  };
}

const tablesOf = (all: readonly Counters[]) => [...new Set(all.map(({ table }) => table))].join(', ');

/** With the triggers that call these. */
function dropNoting({ counts }: Counters): string {
  return `
      DROP FUNCTION ${counts}_note(), ${counts}_write() CASCADE;
      DROP FUNCTION IF EXISTS ${counts}_add(jsonb, text, bigint[]);`;
}

/** The application's role is granted new tables after all migrations, and its writes go on in between: with the rights they had. */
function addChanges({ counts, key, amounts }: Counters): string {
  const [changes, folded, columns] = [changesOf(counts), foldedOf(counts), columnsOf({ key, amounts })];
  const typed = [
    ...Object.entries(key).map(([column, { type }]) => `${column} ${type} NOT NULL`),
    ...Object.keys(amounts).map((column) => `${column} bigint NOT NULL`),
  ];
  return `
      ALTER TABLE ${counts} RENAME TO ${folded};
      CREATE TABLE ${changes} (${typed.join(', ')})
        WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);
      CREATE VIEW ${counts} AS SELECT ${columns} FROM ${folded} UNION ALL SELECT ${columns} FROM ${changes};
      DO $$
        DECLARE
          due text;
        BEGIN
          FOR due IN
            SELECT format('GRANT %s ON ${changes}, ${counts} TO %I', string_agg(privilege_type, ', '), rolname)
            FROM pg_class c, aclexplode(c.relacl) JOIN pg_roles r ON r.oid = grantee
            WHERE c.oid = '${folded}'::regclass AND grantee <> relowner
              AND privilege_type IN ('DELETE', 'INSERT', 'SELECT', 'UPDATE')
            GROUP BY rolname
          LOOP
            EXECUTE due;
          END LOOP;
        END $$;`;
}

function addTriggers(counters: Counters): string {
  const { table, counts, reads } = counters;
  const when = (...rows: ('OLD' | 'NEW')[]) => rows.map((row) => isCountedIn(counters, row)).join(' OR ');
  const isChanged = reads.map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`).join(' OR ');
  return `
      CREATE FUNCTION ${counts}_append() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN${appendRows(counters)}
          RETURN NULL;
        END $$;
      CREATE TRIGGER ${counts}_append_insert AFTER INSERT ON ${table}
        FOR EACH ROW WHEN (${when('NEW')}) EXECUTE FUNCTION ${counts}_append();
      CREATE TRIGGER ${counts}_append_update AFTER UPDATE ON ${table}
        FOR EACH ROW WHEN ((${isChanged}) AND (${when('OLD', 'NEW')})) EXECUTE FUNCTION ${counts}_append();
      CREATE TRIGGER ${counts}_append_delete AFTER DELETE ON ${table}
        FOR EACH ROW WHEN (${when('OLD')}) EXECUTE FUNCTION ${counts}_append();`;
}

function compareByColumns(counters: Counters): string {
  const { table, counts, reads } = counters;
  const rowOf = (row: 'OLD' | 'NEW') => `(${reads.map((column) => `${row}.${column}`).join(', ')})`;
  return `
      CREATE OR REPLACE FUNCTION ${counts}_append() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP = 'UPDATE' AND ${rowOf('OLD')} IS NOT DISTINCT FROM ${rowOf('NEW')} THEN RETURN NULL; END IF;${appendRows(counters)}
          RETURN NULL;
        END $$;
      CREATE OR REPLACE TRIGGER ${counts}_append_update AFTER UPDATE OF ${reads.join(', ')} ON ${table}
        FOR EACH ROW EXECUTE FUNCTION ${counts}_append();`;
}

const isCountedIn = ({ isCounted }: Counters, row: string) => (isCounted ? `(${isCounted(row)})` : 'true');

function appendRows(counters: Counters): string {
  const { counts, key, amounts } = counters;
  const valuesOf = (row: string, sign: '-' | '+') => [
    ...Object.values(key).map(({ of }) => of(row)),
    ...Object.values(amounts).map((amountOf) => `${sign} (${amountOf(row)})`),
  ];
  const append = (row: string, sign: '-' | '+') => `
            INSERT INTO ${changesOf(counts)} (${columnsOf({ key, amounts })})
            VALUES (${valuesOf(row, sign).join(', ')});`;
  return `
          IF TG_OP <> 'INSERT' AND ${isCountedIn(counters, 'OLD')} THEN${append('OLD', '-')}
          END IF;
          IF TG_OP <> 'DELETE' AND ${isCountedIn(counters, 'NEW')} THEN${append('NEW', '+')}
          END IF;`;
}

function columnsOf({ key, amounts }: Pick<Counters, 'key' | 'amounts'>): string {
  return [...Object.keys(key), ...Object.keys(amounts)].join(', ');
}
