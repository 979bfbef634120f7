import type { Migration } from '@plataforma/data';

/** Links with a logo of their own, which an account has a limited number of. */
export const linksWithLogos: Migration = {
  name: '084_links_with_logos',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS payment_links_with_logo',
    `CREATE INDEX CONCURRENTLY payment_links_with_logo ON payment_links (merchant_id, environment)
      WHERE logo IS NOT NULL`,
  ],
};
