import type { Migration } from '@plataforma/data';

/**
 * An order may have only one open or paid charge. An order of a payment link may have one for each visit to
 * the link.
 */
export const visitExternalIds: Migration = {
  name: '082_visit_external_ids',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_external_id_visit',
    `CREATE UNIQUE INDEX CONCURRENTLY charges_external_id_visit
      ON charges (merchant_id, environment, right(external_id, 8), external_id,
      checkout_id) NULLS NOT DISTINCT
      WHERE status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED')`,
  ],
};

/** The old index is dropped in a separate step, so that a unique index exists at every moment. */
export const orderExternalIds: Migration = {
  name: '082_order_external_ids',
  online: ['DROP INDEX CONCURRENTLY IF EXISTS charges_external_id_living'],
};
