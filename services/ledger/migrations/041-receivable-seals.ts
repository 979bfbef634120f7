import type { Migration } from '@plataforma/data';

export const receivableSeals: Migration = {
  name: '041_receivable_seals',
  sql: `
    -- Replicas of release 0.6.0 leave the column as it is.
    ALTER TABLE receivables ADD COLUMN seal text;
  `,
};
