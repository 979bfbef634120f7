import type { Migration } from '@plataforma/data';

export const entryOrders: Migration = {
  name: '040_entry_orders',
  sql: `
    LOCK TABLE wallets, journal_entries, journal_lines, wallet_transactions IN ACCESS EXCLUSIVE MODE;
    -- The order for which the ledger wrote an entry: event:…, operator:… or service:…, and the seal of both.
    -- Replicas of release 0.6.0 leave both columns null.
    ALTER TABLE journal_entries ADD COLUMN ordered_by text, ADD COLUMN seal text;

    -- The last entry of each wallet that needs no seal. The command that seals rows stores it, at the upgrade
    -- or when the keys change.
    CREATE TABLE trusted_entries (
      merchant_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      sequence    bigint NOT NULL CHECK (sequence > 0),
      hash        text NOT NULL,
      seal        text,
      PRIMARY KEY (merchant_id, environment)
    );
  `,
};
