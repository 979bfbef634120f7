import type { Migration } from '@plataforma/data';

/**
 * The limit of a payment link applies only to paid uses. `taken` also counts uses of visits that have not
 * paid yet, so this migration removes the limit on `taken`.
 */
export const paidUses: Migration = {
  name: '081_paid_uses',
  sql: `
    DO $$ DECLARE name text; BEGIN
      SELECT conname INTO STRICT name FROM pg_constraint WHERE conrelid = 'payment_links'::regclass
        AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%taken%';
      EXECUTE format('ALTER TABLE payment_links DROP CONSTRAINT %I', name);
    END $$;
    -- Refuses a payment beyond the uses that a replica of release 0.6.0 records.
    -- This release then returns it.
    ALTER TABLE payment_links ADD CHECK (paid BETWEEN 0 AND taken AND (uses IS NULL OR paid <= uses));
  `,
};
