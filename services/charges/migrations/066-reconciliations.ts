import type { Migration } from '@plataforma/data';

export const reconciliations: Migration = {
  name: '066_reconciliations',
  sql: `
    -- Up to which UTC day the clock has compared the payments of an environment; a row each.
    CREATE TABLE reconciliations (
      id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      environment text NOT NULL UNIQUE CHECK (environment IN ('production', 'sandbox')),
      next_day    date NOT NULL,
      -- What differed when this day was last looked at, and how often it was: what differs twice is an alarm.
      seen        text[] NOT NULL DEFAULT '{}',
      looks       integer NOT NULL DEFAULT 0,
      next_at     timestamptz NOT NULL,
      attempts    integer NOT NULL DEFAULT 0,
      lease_token uuid,
      lease_until timestamptz
    );
    -- The first that is compared is the day of this migration, after it has ended.
    INSERT INTO reconciliations (environment, next_day, next_at)
    SELECT environment, today, (today + 1)::timestamp AT TIME ZONE 'UTC'
    FROM unnest(ARRAY['production', 'sandbox']) AS environment, LATERAL (SELECT (now() AT TIME ZONE 'UTC')::date) AS utc (today);

    -- The table has few rows, and a replica of the release before writes what these allow.
    ALTER TABLE alarms
      ADD COLUMN provider_reference text,
      DROP CONSTRAINT alarms_subject_check,
      ADD CONSTRAINT alarms_subject_check CHECK (subject IN ('refund', 'return', 'card', 'payment')),
      DROP CONSTRAINT alarms_kind_check,
      ADD CONSTRAINT alarms_kind_check CHECK (
        kind IN ('DONE_AFTER_FAILED', 'FAILED_AFTER_DONE', 'DONE_TWICE', 'ANOTHER_AMOUNT', 'RETURNED',
          'UNBACKED', 'UNRECORDED', 'AMOUNTS_DIFFER'));
  `,
};
