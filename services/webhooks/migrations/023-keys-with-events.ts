import type { Migration } from '@plataforma/data';

/**
 * What is unique in a table that is partitioned by its events' ids holds such an id. Between the release before and what
 * locks tables, of which none is locked then but these.
 */
export const keysWithEvents: Migration = {
  name: '023_keys_with_events',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS deliveries_key',
    'CREATE UNIQUE INDEX CONCURRENTLY deliveries_key ON deliveries (event_id, configuration_id)',
    // What is found by its id alone, and the operators' list.
    'DROP INDEX CONCURRENTLY IF EXISTS deliveries_by_id',
    'CREATE INDEX CONCURRENTLY deliveries_by_id ON deliveries (id)',
  ],
};
