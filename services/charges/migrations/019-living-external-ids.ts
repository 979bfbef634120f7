import type { Migration } from '@plataforma/data';

/**
 * The externalId of a charge that ended unpaid is free again. Beside the release before this one an order sent again may
 * still be answered with such a charge.
 */
export const livingExternalIds: Migration = {
  name: '019_living_external_ids',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_living_external_id',
    `CREATE UNIQUE INDEX CONCURRENTLY charges_living_external_id ON charges (merchant_id, environment, external_id)
      WHERE status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED')`,
  ],
};

/** A step of its own: one of the two indexes keeps externalIds apart at every moment. */
export const oldExternalIds: Migration = {
  name: '019_old_external_ids',
  online: ['DROP INDEX CONCURRENTLY IF EXISTS charges_external_id'],
};
