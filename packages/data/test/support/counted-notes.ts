import { newId } from '@plataforma/kernel';
import type { Counters, Database } from '../../src/index.ts';

export const counts: Counters = {
  counts: 'note_counts',
  key: ['merchant_id', 'environment', 'day', 'status'],
  amounts: ['counted'],
};
export const sums: Counters = {
  counts: 'note_sums',
  key: ['merchant_id', 'environment', 'hour', 'kind'],
  amounts: ['paid', 'cents', 'returned'],
};

/** The migration of a table, and of the tables, views and triggers that a service adds for each counter. */
export const notes = {
  name: '001_notes',
  sql: `
    CREATE TABLE notes (id uuid PRIMARY KEY, merchant_id uuid NOT NULL, environment text NOT NULL,
    kind text NOT NULL,
      status text NOT NULL, amount bigint NOT NULL, returned bigint, text text, paid_at timestamptz,
      created_at timestamptz NOT NULL);

    CREATE TABLE note_counts_folded (merchant_id uuid, environment text, day date, status text, slot smallint,
      counted bigint NOT NULL, PRIMARY KEY (merchant_id, environment, day, status, slot));
    CREATE TABLE note_counts_changes (merchant_id uuid, environment text, day date, status text,
    counted bigint);
    CREATE VIEW note_counts AS
      SELECT merchant_id, environment, day, status, counted FROM note_counts_folded
      UNION ALL SELECT * FROM note_counts_changes;
    CREATE FUNCTION note_counts_append() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND (OLD.created_at, OLD.status) IS NOT DISTINCT FROM (NEW.created_at, NEW.status)
      THEN RETURN NULL; END IF;
      IF TG_OP <> 'INSERT' THEN
        INSERT INTO note_counts_changes
        VALUES (OLD.merchant_id, OLD.environment, (OLD.created_at AT TIME ZONE 'UTC')::date, OLD.status, -1);
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO note_counts_changes
        VALUES (NEW.merchant_id, NEW.environment, (NEW.created_at AT TIME ZONE 'UTC')::date, NEW.status, 1);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_counts_append AFTER INSERT OR DELETE OR UPDATE OF created_at, status ON notes
      FOR EACH ROW EXECUTE FUNCTION note_counts_append();

    CREATE TABLE note_sums_folded (merchant_id uuid, environment text, hour timestamptz, kind text,
    slot smallint,
      paid bigint, cents bigint, returned bigint, PRIMARY KEY (merchant_id, environment, hour, kind, slot));
    CREATE TABLE note_sums_changes (merchant_id uuid, environment text, hour timestamptz, kind text,
      paid bigint, cents bigint, returned bigint);
    CREATE VIEW note_sums AS
      SELECT merchant_id, environment, hour, kind, paid, cents, returned FROM note_sums_folded
      UNION ALL SELECT * FROM note_sums_changes;
    CREATE FUNCTION note_sums_append() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE'
        AND (OLD.paid_at, OLD.amount, OLD.returned) IS NOT DISTINCT FROM (NEW.paid_at, NEW.amount,
        NEW.returned)
      THEN RETURN NULL; END IF;
      IF TG_OP <> 'INSERT' AND OLD.paid_at IS NOT NULL THEN
        INSERT INTO note_sums_changes VALUES (OLD.merchant_id, OLD.environment, date_trunc('hour',
        OLD.paid_at, 'UTC'),
          OLD.kind, -1, -OLD.amount, -coalesce(OLD.returned, 0));
      END IF;
      IF TG_OP <> 'DELETE' AND NEW.paid_at IS NOT NULL THEN
        INSERT INTO note_sums_changes VALUES (NEW.merchant_id, NEW.environment, date_trunc('hour',
        NEW.paid_at, 'UTC'),
          NEW.kind, 1, NEW.amount, coalesce(NEW.returned, 0));
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_sums_append AFTER INSERT OR DELETE OR UPDATE OF paid_at, amount, returned ON notes
      FOR EACH ROW EXECUTE FUNCTION note_sums_append();`,
};

const INSERT = `INSERT INTO notes SELECT $1, $2, 'sandbox', 'A', 'OPEN', $3, NULL, '', $4, now()`;

/**
 * Lists the hours for which the stored sums differ from the rows, and the statuses for which the stored
 * counts differ from the rows.
 */
const WRONG = `
  SELECT hour::text FROM (
    SELECT merchant_id, hour, kind, sum(paid) AS paid, sum(cents) AS cents, sum(returned) AS returned
    FROM note_sums
    GROUP BY 1, 2, 3) AS kept
  FULL JOIN (
    SELECT merchant_id, date_trunc('hour', paid_at, 'UTC') AS hour, kind, count(*) AS paid,
    sum(amount) AS cents,
      sum(coalesce(returned, 0)) AS returned
    FROM notes WHERE paid_at IS NOT NULL GROUP BY 1, 2, 3) AS there USING (merchant_id, hour, kind)
  WHERE (coalesce(kept.paid, 0), coalesce(kept.cents, 0), coalesce(kept.returned, 0))
    <> (coalesce(there.paid, 0), coalesce(there.cents, 0), coalesce(there.returned, 0))
  UNION ALL
  SELECT status FROM (SELECT status, sum(counted) AS counted FROM note_counts GROUP BY 1) AS kept
  FULL JOIN (SELECT status, count(*) AS rows FROM notes GROUP BY 1) AS there USING (status)
  WHERE coalesce(counted, 0) <> coalesce(rows, 0)`;

type Queries = Pick<Database, 'query'>;

/** Returns functions that write a merchant's notes and that list the wrong counters of this database. */
export function notesIn(database: () => Queries, merchantId: string) {
  return {
    async add(paidAt: string | null = null, db = database()): Promise<string> {
      const id = newId();
      await db.query(INSERT, [id, merchantId, 100 + Math.floor(Math.random() * 100), paidAt]);
      return id;
    },
    pay: (id: string, at: string, db = database()) =>
      db.query(`UPDATE notes SET status = 'PAID', paid_at = $2 WHERE id = $1`, [id, at]),
    giveBack: (id: string, amount: number, db = database()) =>
      db.query('UPDATE notes SET returned = $2 WHERE id = $1', [id, amount]),
    wrong: (db = database()) => db.query(WRONG),
  };
}
