import type { Migration } from '@plataforma/data';

export const journalHeads: Migration = {
  name: '028_journal_heads',
  sql: `
    -- Once an hour: a hash over the ends of the chains of all wallets that have grown since the head before, and over that.
    CREATE TABLE journal_heads (
      sequence      bigint PRIMARY KEY CHECK (sequence > 0),
      previous_hash bytea UNIQUE CHECK ((previous_hash IS NULL) = (sequence = 1)),
      hash          bytea NOT NULL UNIQUE,
      at            timestamptz NOT NULL DEFAULT now()
    );
    -- Which wallets a head speaks of, and of which of their entries.
    CREATE TABLE journal_head_wallets (
      head_sequence   bigint NOT NULL,
      merchant_id     uuid NOT NULL,
      environment     text NOT NULL,
      wallet_sequence bigint NOT NULL CHECK (wallet_sequence > 0),
      PRIMARY KEY (merchant_id, environment, head_sequence)
    );
    CREATE INDEX journal_head_wallets_head ON journal_head_wallets (head_sequence);
    CREATE TRIGGER journal_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_heads
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER journal_head_wallets_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_head_wallets
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    INSERT INTO chain_heads (chain) VALUES ('journal');
  `,
};
