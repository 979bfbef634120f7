import type { Migration } from '@plataforma/data';

export const buyersOfLinks: Migration = {
  name: '083_buyers_of_links',
  sql: `
    -- Identifies the buyer of a single-use link, in the address that the merchant sends. Null for an older
    -- link of more uses.
    ALTER TABLE payment_links ADD COLUMN buyer_token uuid;
    UPDATE payment_links SET buyer_token = gen_random_uuid() WHERE uses = 1;
    -- A replica of release 0.6.0 does not set the token.
    ALTER TABLE payment_links ALTER COLUMN buyer_token SET DEFAULT gen_random_uuid();
    -- True if the visit began with that token.
    ALTER TABLE checkouts ADD COLUMN is_of_buyer boolean NOT NULL DEFAULT false;
  `,
};

/**
 * A separate migration creates the index with CONCURRENTLY, because a plain CREATE INDEX would block writes
 * to a large table.
 */
export const visitsOfBuyers: Migration = {
  name: '083_visits_of_buyers',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS checkouts_of_buyer',
    'CREATE INDEX CONCURRENTLY checkouts_of_buyer ON checkouts (link_id) WHERE is_of_buyer',
  ],
};
