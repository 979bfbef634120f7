import type { Migration } from '@plataforma/data';
import { lockBooks } from './lock-books.ts';

export const walletOrdinals: Migration = {
  name: '013_wallet_ordinals',
  sql: `
    ${lockBooks}
    ALTER TABLE wallet_transactions
      -- Everything but dates that a list can be narrowed by cheaply, as one word.
      ADD COLUMN category text NOT NULL GENERATED ALWAYS AS
        (type || ':' || coalesce(payment_method, '') || ':' || CASE WHEN amount_cents > 0 THEN 'in' ELSE 'out' END)
        STORED,
      -- 1, 2, 3 … in each wallet, in the order of posting.
      ADD COLUMN ordinal bigint;

    ALTER TABLE wallet_transactions DISABLE TRIGGER wallet_transactions_append_only;
    UPDATE wallet_transactions t SET ordinal = numbered.ordinal FROM (
      SELECT id, row_number() OVER (PARTITION BY merchant_id, environment ORDER BY created_at, id) AS ordinal
      FROM wallet_transactions) AS numbered WHERE numbered.id = t.id;
    ALTER TABLE wallet_transactions ENABLE TRIGGER wallet_transactions_append_only;
    ALTER TABLE wallet_transactions ALTER COLUMN ordinal SET NOT NULL;

    DROP INDEX wallet_transactions_statement;
    -- A merchant's statement, from any row on; and no two rows in one place.
    CREATE UNIQUE INDEX wallet_transactions_ordinal ON wallet_transactions (merchant_id, environment, ordinal);
    -- The same, narrowed by type, flow and payment method.
    CREATE INDEX wallet_transactions_category
      ON wallet_transactions (merchant_id, environment, category, ordinal);

    -- Numbers a row that comes without its number. Its plan must not be one made while the table
    -- was small.
    CREATE FUNCTION number_wallet_row() RETURNS trigger LANGUAGE plpgsql
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
    CREATE TRIGGER wallet_transactions_number BEFORE INSERT ON wallet_transactions
      FOR EACH ROW WHEN (NEW.ordinal IS NULL) EXECUTE FUNCTION number_wallet_row();
  `,
};
