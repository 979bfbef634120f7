import type { Migration } from '@plataforma/data';

/**
 * The index of links that have a logo of their own. The service counts these links, because their number is
 * limited for each account.
 */
export const linksWithLogos: Migration = {
  name: '084_links_with_logos',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS payment_links_with_logo',
    `CREATE INDEX CONCURRENTLY payment_links_with_logo ON payment_links (merchant_id, environment)
      WHERE logo IS NOT NULL`,
  ],
};
