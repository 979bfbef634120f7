import type { Migration } from '@plataforma/data';

export const listedCharges: Migration = {
  name: '056_listed_charges',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_listed',
    // A merchant's list, by status and method or merged from all that are seen; amounts, and parts of a payer's name, are
    // compared without the rows. An index is read by itself only if it has the columns of its expressions, too.
    `CREATE INDEX CONCURRENTLY charges_listed ON charges
      (merchant_id, environment, payment_method, status, created_at DESC, id DESC, lower(payer_name))
      INCLUDE (amount_cents, payer_name)`,
    'DROP INDEX CONCURRENTLY IF EXISTS charges_payer_document',
    'CREATE INDEX CONCURRENTLY charges_payer_document ON charges (merchant_id, environment, payer_document)',
    // How many have a name is known of the index alone.
    'ANALYZE charges',
  ],
};

/** What the release before looks for is found by the new ones as well. */
export const chargesBeforeListed: Migration = {
  name: '057_charges_before_listed',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_by_status',
    'DROP INDEX CONCURRENTLY IF EXISTS charges_payer',
  ],
};
