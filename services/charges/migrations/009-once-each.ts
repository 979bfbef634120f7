import type { Migration } from '@plataforma/data';

export const onceEach: Migration = {
  name: '009_once_each',
  sql: `
    -- A Pix by its number at the central bank, over both tables: what paid a charge can't go back as unexpected,
    -- and what went back can't pay one.
    CREATE TABLE pix_numbers (end_to_end_id text PRIMARY KEY CHECK (length(end_to_end_id) <= 64));
    INSERT INTO pix_numbers
      SELECT end_to_end_id FROM payments UNION SELECT end_to_end_id FROM unexpected_payments;

    ALTER TABLE charges
      -- A card attempt that has ended, and whose payment may still turn up at the acquirer: it is given back.
      ADD COLUMN is_watched boolean NOT NULL DEFAULT false,
      ADD CHECK (is_watched <= (status = 'DECLINED'));
    CREATE INDEX charges_watched ON charges (environment, next_check_at) WHERE is_watched;

    -- Since when a refusal is doubted: it came after an order whose answer was lost, which may still be carried out.
    ALTER TABLE refunds ADD COLUMN doubted_at timestamptz;
    ALTER TABLE unexpected_payments ADD COLUMN doubted_at timestamptz;

    -- The last two days of a provider's payments are read once more, slowly, for what was listed late.
    ALTER TABLE provider_cursors
      DROP CONSTRAINT provider_cursors_list_check,
      ADD CHECK (list IN ('payments', 'infractions', 'late_payments'));
  `,
};
