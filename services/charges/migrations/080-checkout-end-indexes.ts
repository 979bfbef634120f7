import type { Migration } from '@plataforma/data';

/** The statements run one by one and block no writes (CONCURRENTLY), because the tables may be large. */
export const checkoutEndIndexes: Migration = {
  name: '080_checkout_end_indexes',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS checkouts_ends',
    // An index of checkouts that may have ended. A checkout with a reserved use cannot end.
    `CREATE INDEX CONCURRENTLY checkouts_ends ON checkouts (environment, ends_at)
      WHERE use <> 'HELD' AND ends_at IS NOT NULL`,
    'DROP INDEX CONCURRENTLY IF EXISTS checkouts_unended',
    // An index of the open checkouts of a link, which end together with the link.
    `CREATE INDEX CONCURRENTLY checkouts_unended ON checkouts (link_id, id) WHERE ends_at IS NOT NULL`,
    'DROP INDEX CONCURRENTLY IF EXISTS payment_links_ends',
    `CREATE INDEX CONCURRENTLY payment_links_ends ON payment_links (environment, next_check_at)
      WHERE next_check_at IS NOT NULL`,
  ],
};
