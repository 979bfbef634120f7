import type { Migration } from '@plataforma/data';

export const merchantLogos: Migration = {
  name: '068_merchant_logos',
  sql: `
    -- What buyers see beside a merchant's name; beside what is known of merchants, which every charge reads.
    CREATE TABLE merchant_logos (
      merchant_id uuid PRIMARY KEY,
      -- A data URI.
      logo        text NOT NULL CHECK (length(logo) <= 87500)
    );
  `,
};
