import type { Migration } from '@plataforma/data';

export const rowSeals: Migration = {
  name: '033_row_seals',
  sql: `
    -- Seals of rows that order money. Replicas of release 0.6.0 leave the column null.
    ALTER TABLE withdrawals ADD COLUMN seal text;
    ALTER TABLE destinations ADD COLUMN seal text;
    ALTER TABLE wallet_proofs ADD COLUMN seal text;
  `,
};
