import type { Migration } from '@plataforma/data';

export const metadata: Migration = {
  name: '021_metadata',
  sql: `
    -- What a merchant keeps with a charge: names and texts of its own.
    ALTER TABLE charges ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}';
  `,
};
