import type { Migration } from '@plataforma/data';
import { lockBooks } from './lock-books.ts';

export const walletRowCounts: Migration = {
  name: '014_wallet_row_counts',
  sql: `
    -- Rows that are posted now are either counted here or by the trigger.
    ${lockBooks}
    -- How many rows of a category a wallet has up to the end of a day (UTC), and the last of them. What a period
    -- has is the difference of two rows, however long the period and however full the days.
    CREATE TABLE wallet_row_counts (
      merchant_id  uuid NOT NULL,
      environment  text NOT NULL,
      category     text NOT NULL,
      day          date NOT NULL,
      rows_until   bigint NOT NULL CHECK (rows_until > 0),
      last_ordinal bigint NOT NULL CHECK (last_ordinal >= rows_until),
      PRIMARY KEY (merchant_id, environment, category, day)
    ) WITH (fillfactor = 70);

    INSERT INTO wallet_row_counts (merchant_id, environment, category, day, rows_until, last_ordinal)
    SELECT merchant_id, environment, category, (created_at AT TIME ZONE 'UTC')::date,
      sum(count(*)) OVER (PARTITION BY merchant_id, environment, category
        ORDER BY (created_at AT TIME ZONE 'UTC')::date),
      max(ordinal)
    FROM wallet_transactions GROUP BY 1, 2, 3, 4;

    -- Whoever inserts rows holds their wallets, so nobody else counts them at the same time.
    CREATE FUNCTION count_wallet_rows() RETURNS trigger LANGUAGE plpgsql
      SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    BEGIN
      INSERT INTO wallet_row_counts (merchant_id, environment, category, day, rows_until, last_ordinal)
      SELECT added.merchant_id, added.environment, added.category, added.day,
        coalesce(last.rows_until, 0) + added.rows_until, added.last_ordinal
      FROM (
        SELECT merchant_id, environment, category, (created_at AT TIME ZONE 'UTC')::date AS day,
          sum(count(*)) OVER (PARTITION BY merchant_id, environment, category
            ORDER BY (created_at AT TIME ZONE 'UTC')::date) AS rows_until,
          max(ordinal) AS last_ordinal
        FROM inserted GROUP BY 1, 2, 3, 4) AS added
      LEFT JOIN LATERAL (
        SELECT c.rows_until FROM wallet_row_counts c
        WHERE c.merchant_id = added.merchant_id AND c.environment = added.environment
          AND c.category = added.category
        ORDER BY c.day DESC LIMIT 1) AS last ON true
      ON CONFLICT (merchant_id, environment, category, day)
        DO UPDATE SET rows_until = excluded.rows_until, last_ordinal = excluded.last_ordinal;
      RETURN NULL;
    END $$;
    CREATE TRIGGER wallet_transactions_count AFTER INSERT ON wallet_transactions
      REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_wallet_rows();
  `,
};
