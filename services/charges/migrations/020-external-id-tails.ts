import type { Migration } from '@plataforma/data';

export const externalIdTails: Migration = {
  name: '020_external_id_tails',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_external_id_tail',
    // A merchant's charges by externalId, whatever became of them: whole, or by what pages show of it.
    `CREATE INDEX CONCURRENTLY charges_external_id_tail
      ON charges (merchant_id, environment, right(external_id, 8))`,
  ],
};
