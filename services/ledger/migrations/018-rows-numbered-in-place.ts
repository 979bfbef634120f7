import type { Migration } from '@plataforma/chassis';

export const rowsNumberedInPlace: Migration = {
  name: '018_rows_numbered_in_place',
  sql: `
    -- As before, but it looks for itself: a call of last_wallet_rows costs more than all the rest, for each row.
    CREATE OR REPLACE FUNCTION number_wallet_row() RETURNS trigger LANGUAGE plpgsql
      SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    DECLARE
      last record;
    BEGIN
      SELECT t.ordinal, t.created_at INTO last FROM wallet_transactions t
      WHERE t.merchant_id = NEW.merchant_id AND t.environment = NEW.environment
      ORDER BY t.ordinal DESC LIMIT 1;
      NEW.ordinal := coalesce(last.ordinal, 0) + 1;
      -- A server whose clock was set back does not bring rows into another order.
      NEW.created_at := greatest(NEW.created_at, last.created_at);
      RETURN NEW;
    END $$;
  `,
};
