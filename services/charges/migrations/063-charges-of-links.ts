import type { Migration } from '@plataforma/data';

/** A step of its own: `charges` may be large. */
export const chargesOfLinks: Migration = {
  name: '063_charges_of_links',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_payment_link',
    // What was charged by a payment link, newest first.
    `CREATE INDEX CONCURRENTLY charges_payment_link ON charges (payment_link_id, created_at DESC, id DESC)
      WHERE payment_link_id IS NOT NULL`,
  ],
};
