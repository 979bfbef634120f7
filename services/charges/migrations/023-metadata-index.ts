import type { Migration } from '@plataforma/data';

export const metadataIndex: Migration = {
  name: '023_metadata_index',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_metadata',
    // GET /v1/charges?metadata[name]=value; charges without any cost nothing.
    `CREATE INDEX CONCURRENTLY charges_metadata ON charges USING gin (metadata jsonb_path_ops)
      WHERE metadata <> '{}'`,
  ],
};
