import type { Migration } from '@plataforma/data';

export const rowSeals: Migration = {
  name: '032_row_seals',
  sql: `
    -- Seals of rows by which deliveries are sent. Replicas of release 0.6.0 leave the column null.
    ALTER TABLE configurations ADD COLUMN seal text;
    ALTER TABLE old_secrets ADD COLUMN seal text;
    ALTER TABLE events ADD COLUMN seal text;
    ALTER TABLE deliveries ADD COLUMN seal text;
  `,
};
