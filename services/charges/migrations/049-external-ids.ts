import type { Migration } from '@plataforma/data';

/** A charge is in one of the two: whose externalId is its own, or is free again. */
export const externalIds: Migration = {
  name: '049_external_ids',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_external_id_living',
    // One externalId is one charge; and a merchant's charges by it, whole, or by what pages show of it.
    `CREATE UNIQUE INDEX CONCURRENTLY charges_external_id_living
      ON charges (merchant_id, environment, right(external_id, 8), external_id)
      WHERE status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED')`,
    'DROP INDEX CONCURRENTLY IF EXISTS charges_external_id_ended',
    `CREATE INDEX CONCURRENTLY charges_external_id_ended
      ON charges (merchant_id, environment, right(external_id, 8))
      WHERE status IN ('DECLINED', 'EXPIRED', 'CANCELLED')`,
  ],
};

/** A step of its own: one of the two unique indexes keeps externalIds apart at every moment. */
export const externalIdsBefore: Migration = {
  name: '050_external_ids_before',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_living_external_id',
    'DROP INDEX CONCURRENTLY IF EXISTS charges_external_id_tail',
  ],
};
