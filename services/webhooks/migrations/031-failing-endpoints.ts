import type { Migration } from '@plataforma/data';

export const failingEndpoints: Migration = {
  name: '031_failing_endpoints',
  sql: `
    -- The first failure since the last success, and the time when its merchant was notified. Triggers set
    -- them, so that they include results that a replica of release 0.6.0 records. An endpoint that already
    -- fails gets them with the first failure after its next success.
    ALTER TABLE endpoint_health ADD COLUMN failing_since timestamptz,
    ADD COLUMN failing_announced_at timestamptz;
    CREATE INDEX endpoint_health_to_announce ON endpoint_health (configuration_id)
      WHERE failing_since IS NOT NULL AND failing_announced_at IS NULL;

    CREATE FUNCTION begin_failing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.failing_since := NEW.last_attempt_at;
      NEW.failing_announced_at := NULL;
      RETURN NEW;
    END $$;
    CREATE TRIGGER endpoint_health_first_failure BEFORE INSERT ON endpoint_health
      FOR EACH ROW WHEN (NEW.failures_in_a_row > 0) EXECUTE FUNCTION begin_failing();
    CREATE TRIGGER endpoint_health_failure BEFORE UPDATE ON endpoint_health
      FOR EACH ROW WHEN (NEW.failures_in_a_row > 0
        AND (OLD.failures_in_a_row = 0 OR NEW.last_success_at IS DISTINCT FROM OLD.last_success_at))
      EXECUTE FUNCTION begin_failing();
  `,
};
