import type { Migration } from '@plataforma/data';

export const cardTokens: Migration = {
  name: '011_card_tokens',
  sql: `
    -- SHA-256 of the token a card charge was asked for with, by which the same attempt is known again. The token itself is
    -- kept nowhere. Null for Pix, and for what is older than this column.
    ALTER TABLE charges ADD COLUMN card_token_hash bytea;
  `,
};
