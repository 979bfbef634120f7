import type { Migration } from '@plataforma/data';
import { KEEP_PLAN } from './021-settled-deliveries.ts';
import { settle } from './024-attempts-of-events.ts';

export const settledInMonths: Migration = {
  name: '028_settled_in_months',
  sql: `
    -- As before, with the first and the last of their events' ids: a plan that is kept leaves out the months of no event.
    CREATE FUNCTION settle_deliveries(uuid[], uuid[], uuid[], text[], int[], timestamptz[], int[], int[], text[], text[], uuid, uuid)
      RETURNS bigint LANGUAGE sql
      ${KEEP_PLAN} AS $$
${settle(' AND d.event_id >= $11 AND d.event_id <= $12')}    $$;

    -- For replicas of the release before.
    CREATE OR REPLACE FUNCTION settle_deliveries(uuid[], uuid[], uuid[], text[], int[], timestamptz[], int[], int[], text[], text[])
      RETURNS bigint LANGUAGE sql
      ${KEEP_PLAN} AS $$
        SELECT settle_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
          (SELECT id FROM unnest($2) AS id ORDER BY id LIMIT 1), (SELECT id FROM unnest($2) AS id ORDER BY id DESC NULLS LAST LIMIT 1))
    $$;
  `,
};
