import { type Migration, rangesSql } from '@plataforma/data';
import { deliveriesByMonth } from './026-events-by-month.ts';

/** Smaller than every id, and greater. */
const [FIRST, LAST] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

export const waitingMonths: Migration = {
  name: '027_waiting_months',
  sql: `
    -- From which event's id on, and before which one, deliveries wait: that of whole partitions, NULL where none waits. Each is
    -- probed once, in the order of the index of what waits: by their events' ids it would read all that ever were.
    -- The ids as text, which has their order: PostgreSQL before 18 knows no smallest uuid.
    CREATE FUNCTION waiting_months(OUT since text, OUT until text) LANGUAGE sql STABLE
      SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
        SELECT min(lower::text COLLATE "C"), max(upper::text COLLATE "C")
        FROM (SELECT coalesce(lower, '${FIRST}') AS lower, coalesce(upper, '${LAST}') AS upper
          FROM (${rangesSql(deliveriesByMonth)}) AS ranges) AS months
        CROSS JOIN LATERAL (
          SELECT FROM deliveries d WHERE d.status = 'PENDING' AND d.event_id >= lower AND d.event_id < upper
          ORDER BY d.configuration_id, d.due_at LIMIT 1) AS waiting
    $$;
  `,
};
