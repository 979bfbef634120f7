import type { Migration } from '@plataforma/data';

/**
 * The index of a merchant's list, merged by status and method. It contains the names, external ids and
 * amounts that a search compares, so that a search for a missing word reads no rows. For an index-only scan,
 * the index also needs the columns of the expression.
 */
export const chargesSearched: Migration = {
  name: '041_charges_searched',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_searched',
    `CREATE INDEX CONCURRENTLY charges_searched ON charges (merchant_id, environment, payment_method, status,
      created_at DESC, id DESC, plain_text(payer_name || ' ' || external_id))
      INCLUDE (amount_cents, payer_name, external_id)`,
    'DROP INDEX CONCURRENTLY IF EXISTS charges_payer_email',
    `CREATE INDEX CONCURRENTLY charges_payer_email ON charges
      (merchant_id, environment, payer_email text_pattern_ops) WHERE payer_email IS NOT NULL`,
    // A merchant's lists read and sum refunds and disputes from these indexes alone.
    'DROP INDEX CONCURRENTLY IF EXISTS refunds_summed',
    `CREATE INDEX CONCURRENTLY refunds_summed ON refunds
      (merchant_id, environment, created_at DESC, id DESC) INCLUDE (status, amount_cents)`,
    'DROP INDEX CONCURRENTLY IF EXISTS disputes_summed',
    `CREATE INDEX CONCURRENTLY disputes_summed ON disputes
      (merchant_id, environment, created_at DESC, id DESC) INCLUDE (status, deadline, amount_cents)`,
  ],
};

/** The old indexes are dropped in a separate step, so that each list has an index at every moment. */
export const chargesListed: Migration = {
  name: '041_charges_listed',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_listed',
    'DROP INDEX CONCURRENTLY IF EXISTS refunds_of_merchant',
    'DROP INDEX CONCURRENTLY IF EXISTS disputes_list',
  ],
};
