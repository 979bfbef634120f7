import type { Migration } from '@plataforma/data';
import { lockBooks } from './lock-books.ts';

export const walletSnapshots: Migration = {
  name: '015_wallet_snapshots',
  sql: `
    ${lockBooks}
    ALTER TABLE wallets
      -- When it became what it is, which is the time of its last entry; entries of a later time are not in it.
      ADD COLUMN changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      ADD COLUMN changes bigint NOT NULL DEFAULT 0;
    -- Nor does what is posted next lie before what is there, though the clock was set back meanwhile.
    UPDATE wallets w SET changed_at = last.created_at
    FROM (SELECT merchant_id, environment, max(created_at) AS created_at FROM journal_entries GROUP BY 1, 2) AS last
    WHERE last.merchant_id = w.merchant_id AND last.environment = w.environment AND last.created_at > w.changed_at;

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

    -- When each wallet is written to that is locked, and after which row. Its time is the clock's, not the
    -- transaction's: a transaction that began first may have got the lock last. But a server whose clock was set back
    -- does not bring a wallet's changes into another order. The plan must not be one made while tables were small.
    CREATE FUNCTION wallet_moments(merchant_ids uuid[], environments text[])
      RETURNS TABLE (merchant_id uuid, environment text, last_row bigint, at timestamptz)
      LANGUAGE sql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
        SELECT locked.merchant_id, locked.environment, coalesce(last.ordinal, 0),
          greatest(clock_timestamp(), w.changed_at + interval '1 microsecond', last.created_at)
        FROM unnest(merchant_ids, environments) AS locked (merchant_id, environment)
        -- Each looked up by itself (OFFSET 0): joined freely, all wallets may be read for a few.
        JOIN LATERAL (SELECT changed_at FROM wallets
          WHERE merchant_id = locked.merchant_id AND environment = locked.environment OFFSET 0) AS w ON true
        LEFT JOIN LATERAL (SELECT t.ordinal, t.created_at FROM wallet_transactions t
          WHERE t.merchant_id = locked.merchant_id AND t.environment = locked.environment
          ORDER BY t.ordinal DESC LIMIT 1) AS last ON true
      $$;

    ALTER TABLE journal_entries ALTER COLUMN created_at SET DEFAULT clock_timestamp();

    -- The entries of one wallet, or those since a snapshot of it.
    CREATE INDEX journal_entries_since ON journal_entries (merchant_id, environment, created_at);
    DROP INDEX journal_entries_wallet;

    CREATE FUNCTION note_wallet_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Whoever changes it without an entry names no time.
      IF NEW.changed_at <= OLD.changed_at THEN
        NEW.changed_at := greatest(clock_timestamp(), OLD.changed_at + interval '1 microsecond');
      END IF;
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
