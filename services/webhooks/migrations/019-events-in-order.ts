import type { Migration } from '@plataforma/data';

export const eventsInOrder: Migration = {
  name: '019_events_in_order',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS events_in_order',
    // A merchant's feed, oldest first, from an event on.
    `CREATE INDEX CONCURRENTLY events_in_order ON events (merchant_id, environment, xid, id) INCLUDE (type)`,
  ],
};
