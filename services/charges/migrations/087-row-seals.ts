import type { Migration } from '@plataforma/data';

export const rowSeals: Migration = {
  name: '087_row_seals',
  sql: `
    -- Seals of rows that order money. Replicas of release 0.6.0 leave the column null.
    ALTER TABLE charges ADD COLUMN seal text;
    ALTER TABLE refunds ADD COLUMN seal text;
    ALTER TABLE unexpected_payments ADD COLUMN seal text;
    ALTER TABLE disputes ADD COLUMN seal text;
    ALTER TABLE payment_links ADD COLUMN seal text;
    ALTER TABLE checkouts ADD COLUMN seal text;
  `,
};
