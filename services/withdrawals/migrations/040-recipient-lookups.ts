import type { Migration } from '@plataforma/data';

export const recipientLookups: Migration = {
  name: '040_recipient_lookups',
  sql: `
    -- A lookup of a Pix key's owner that counts towards the merchant's limit. Rows are deleted after a
    -- day, or when a Pix to the key is COMPLETED. The key is stored only as a hash.
    CREATE TABLE recipient_lookups (
      id          uuid        PRIMARY KEY,
      merchant_id uuid        NOT NULL,
      environment text        NOT NULL CHECK (environment IN ('sandbox', 'production')),
      key_hash    bytea       NOT NULL,
      cost        smallint    NOT NULL CHECK (cost > 0),
      created_at  timestamptz NOT NULL
    );
    CREATE INDEX recipient_lookups_oldest ON recipient_lookups (created_at);
    CREATE INDEX recipient_lookups_newest ON recipient_lookups (merchant_id, environment, created_at);

    CREATE FUNCTION recipient_key_hash(merchant uuid, pix_key text) RETURNS bytea LANGUAGE sql AS $$
      SELECT sha256(convert_to(merchant || ' ' || pix_key, 'UTF8'));
    $$;
    -- A trigger, so that a replica of an earlier release that completes a payout also deletes its lookups.
    -- Runs as its owner, because the service's role gets its rights on a new table only after the migration.
    CREATE FUNCTION forget_paid_lookups() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      DELETE FROM recipient_lookups WHERE merchant_id = NEW.merchant_id AND environment = NEW.environment
        AND key_hash = recipient_key_hash(NEW.merchant_id, NEW.pix_key);
      RETURN NULL;
    END $$;
    CREATE TRIGGER withdrawals_forget_paid_lookups AFTER UPDATE OF status ON withdrawals FOR EACH ROW
      WHEN (NEW.status = 'COMPLETED' AND OLD.status <> 'COMPLETED' AND NEW.method = 'PIX')
      EXECUTE FUNCTION forget_paid_lookups();
  `,
};
