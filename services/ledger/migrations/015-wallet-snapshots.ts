import type { Migration } from '@plataforma/chassis';
import { lockBooks } from './lock-books.ts';

export const walletSnapshots: Migration = {
  name: '015_wallet_snapshots',
  sql: `
    ${lockBooks}
    ALTER TABLE wallets
      -- When it became what it is; entries of a later time are not in it.
      ADD COLUMN changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      ADD COLUMN changes bigint NOT NULL DEFAULT 0;

    -- What a wallet was after every two-hundredth change: what it was at any instant is the nearest of these and the
    -- entries since then.
    CREATE TABLE wallet_snapshots (
      merchant_id uuid NOT NULL,
      environment text NOT NULL,
      changed_at  timestamptz NOT NULL,
      wallet      jsonb NOT NULL,
      PRIMARY KEY (merchant_id, environment, changed_at)
    );
    INSERT INTO wallet_snapshots (merchant_id, environment, changed_at, wallet)
    SELECT merchant_id, environment, changed_at, to_jsonb(wallets) FROM wallets;
    CREATE TRIGGER wallet_snapshots_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_snapshots
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

    -- The time of an entry is when it was written, with its wallet locked, not when the transaction began: that one
    -- may have waited for the lock.
    ALTER TABLE journal_entries ALTER COLUMN created_at SET DEFAULT clock_timestamp();

    -- The entries of one wallet, or those since a snapshot of it.
    CREATE INDEX journal_entries_since ON journal_entries (merchant_id, environment, created_at);
    DROP INDEX journal_entries_wallet;

    CREATE FUNCTION note_wallet_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- A server whose clock was set back does not bring a wallet's changes into another order.
      NEW.changed_at := greatest(clock_timestamp(), OLD.changed_at);
      NEW.changes := OLD.changes + 1;
      IF NEW.changes % 200 = 0 THEN
        INSERT INTO wallet_snapshots (merchant_id, environment, changed_at, wallet)
        VALUES (NEW.merchant_id, NEW.environment, NEW.changed_at, to_jsonb(NEW))
        ON CONFLICT (merchant_id, environment, changed_at) DO NOTHING;
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER wallets_change BEFORE UPDATE ON wallets
      FOR EACH ROW EXECUTE FUNCTION note_wallet_change();
  `,
};
