import type { Migration } from '@plataforma/data';

/** Each a step of its own: the tables may be large. */
export const linkCards: Migration = {
  name: '064_link_cards',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_link_cards',
    // How many cards were declined and paid at a payment link lately.
    `CREATE INDEX CONCURRENTLY charges_link_cards ON charges (payment_link_id, created_at)
      WHERE payment_link_id IS NOT NULL AND payment_method = 'CARD'`,
    'DROP INDEX CONCURRENTLY IF EXISTS checkouts_untouched',
    // Visits that came to nothing, the oldest first.
    `CREATE INDEX CONCURRENTLY checkouts_untouched ON checkouts (created_at)
      WHERE charge_id IS NULL AND use = 'NONE'`,
  ],
};
