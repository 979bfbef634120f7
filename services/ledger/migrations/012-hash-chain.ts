import type { Migration } from '@plataforma/data';
import { lockBooks } from './lock-books.ts';

export const hashChain: Migration = {
  name: '012_hash_chain',
  sql: `
    ${lockBooks}
    -- Each entry of a wallet vouches for itself and for the one before it: what is changed, taken out or put in
    -- afterwards no longer fits. Entries of before have neither hash nor place in the chain, and are marked.
    ALTER TABLE journal_entries
      ADD COLUMN wallet_sequence bigint CHECK (wallet_sequence > 0),
      ADD COLUMN previous_hash bytea,
      ADD COLUMN hash bytea,
      ADD COLUMN is_before_chain boolean NOT NULL DEFAULT true,
      ADD CONSTRAINT journal_entries_hashed CHECK (hash IS NOT NULL OR wallet_sequence IS NULL),
      -- Also walking the chain, and finding whose entries come next.
      ADD CONSTRAINT journal_entries_chain UNIQUE (merchant_id, environment, wallet_sequence);
    ALTER TABLE journal_entries
      ALTER COLUMN is_before_chain SET DEFAULT false,
      -- Whoever leaves the hash out gets one that fits nothing, and is found.
      ALTER COLUMN hash SET DEFAULT '',
      -- From now on no entry passes for one of before; those that are not checked are exactly those that were here.
      ADD CONSTRAINT journal_entries_vouched CHECK (hash IS NOT NULL AND NOT is_before_chain) NOT VALID;
    -- Where each wallet's chain ends.
    ALTER TABLE wallets
      ADD COLUMN chain_sequence bigint NOT NULL DEFAULT 0 CHECK (chain_sequence >= 0),
      ADD COLUMN chain_hash bytea;
    -- The entries in no chain, portion by portion.
    CREATE INDEX journal_entries_unchained ON journal_entries (merchant_id, environment, id)
      WHERE wallet_sequence IS NULL;
    -- Adding up an environment, portion by portion.
    CREATE INDEX journal_entries_environment ON journal_entries (environment, id);
    -- The rows an entry's hash speaks of.
    CREATE INDEX wallet_transactions_entry ON wallet_transactions (entry_id);
  `,
};
