import type { Migration } from '@plataforma/data';

/** Each visit to the link of an order may have one living charge, and so may every other order. */
export const visitExternalIds: Migration = {
  name: '082_visit_external_ids',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_external_id_visit',
    `CREATE UNIQUE INDEX CONCURRENTLY charges_external_id_visit
      ON charges (merchant_id, environment, right(external_id, 8), external_id, checkout_id) NULLS NOT DISTINCT
      WHERE status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED')`,
  ],
};

/** A step of its own: one of the two unique indexes keeps externalIds apart at every moment. */
export const orderExternalIds: Migration = {
  name: '082_order_external_ids',
  online: ['DROP INDEX CONCURRENTLY IF EXISTS charges_external_id_living'],
};
