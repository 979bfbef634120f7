import type { Migration } from '@plataforma/data';

export const journal: Migration = {
  name: '002_journal',
  sql: `
    CREATE TABLE journal_entries (
      id          uuid PRIMARY KEY,
      kind        text NOT NULL,
      reference   uuid NOT NULL,
      merchant_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      occurred_at timestamptz NOT NULL,
      created_at  timestamptz NOT NULL DEFAULT now(),
      -- A fact is posted once, whoever asks how often.
      CONSTRAINT journal_entries_fact UNIQUE (kind, reference)
    );
    -- Recomputing one wallet from its lines.
    CREATE INDEX journal_entries_wallet ON journal_entries (merchant_id, environment);

    CREATE TABLE journal_lines (
      entry_id     uuid NOT NULL REFERENCES journal_entries (id),
      account      text NOT NULL,
      amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
      PRIMARY KEY (entry_id, account)
    );

    -- Every statement that writes lines must leave each of its entries at zero.
    CREATE FUNCTION refuse_unbalanced_entries() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM inserted GROUP BY entry_id HAVING sum(amount_cents) <> 0) THEN
        RAISE EXCEPTION 'the lines of an entry must add up to zero' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER journal_lines_balance AFTER INSERT ON journal_lines
      REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbalanced_entries();

    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER journal_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_entries
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER journal_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_lines
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  `,
};
