import type { Migration } from '@plataforma/data';

export const oneIndexLess: Migration = {
  name: '016_one_index_less',
  online: [
    // The operators' list and what looks for old deliveries go by the id, which holds the time: the primary key is an
    // index that there must be anyway, while this one took a tenth of what it costs to store and settle a delivery.
    'DROP INDEX CONCURRENTLY IF EXISTS deliveries_newest_of_all',
  ],
};
