import type { Migration } from '@plataforma/data';

/** The counter of the sums that lists of withdrawals show: the withdrawals of a UTC day. */
export const withdrawalSums: Migration = {
  name: '042_withdrawal_sums',
  sql: `
    CREATE TABLE withdrawal_sums_folded (
      merchant_id  uuid NOT NULL,
      environment  text NOT NULL,
      day          date NOT NULL,
      method       text NOT NULL,
      status       text NOT NULL,
      slot         smallint NOT NULL,
      counted      bigint NOT NULL,
      amount_cents bigint NOT NULL,
      fee_cents    bigint NOT NULL,
      CONSTRAINT withdrawal_sums_pkey PRIMARY KEY (merchant_id, environment, day, method, status, slot)
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
    CREATE TABLE withdrawal_sums_changes (
      merchant_id  uuid NOT NULL,
      environment  text NOT NULL,
      day          date NOT NULL,
      method       text NOT NULL,
      status       text NOT NULL,
      counted      bigint NOT NULL,
      amount_cents bigint NOT NULL,
      fee_cents    bigint NOT NULL
    ) WITH (
      autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0,
      autovacuum_vacuum_cost_delay = 0);
    CREATE VIEW withdrawal_sums AS
      SELECT merchant_id, environment, day, method, status, counted, amount_cents, fee_cents
      FROM withdrawal_sums_folded
      UNION ALL
      SELECT merchant_id, environment, day, method, status, counted, amount_cents, fee_cents
      FROM withdrawal_sums_changes;
    -- Runs as its owner, because the service's role gets its rights on a new table only after the migration.
    CREATE FUNCTION withdrawal_sums_append() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND (OLD.merchant_id, OLD.environment, OLD.created_at, OLD.method, OLD.status,
        OLD.amount_cents, OLD.fee_cents)
        IS NOT DISTINCT FROM (NEW.merchant_id, NEW.environment, NEW.created_at, NEW.method, NEW.status,
        NEW.amount_cents, NEW.fee_cents)
      THEN RETURN NULL; END IF;
      IF TG_OP <> 'INSERT' THEN
        INSERT INTO withdrawal_sums_changes VALUES (OLD.merchant_id, OLD.environment,
          (OLD.created_at AT TIME ZONE 'UTC')::date, OLD.method, OLD.status, -1, - OLD.amount_cents,
          - OLD.fee_cents);
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO withdrawal_sums_changes VALUES (NEW.merchant_id, NEW.environment,
          (NEW.created_at AT TIME ZONE 'UTC')::date, NEW.method, NEW.status, 1, NEW.amount_cents,
          NEW.fee_cents);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER withdrawal_sums_append_insert AFTER INSERT ON withdrawals
      FOR EACH ROW EXECUTE FUNCTION withdrawal_sums_append();
    CREATE TRIGGER withdrawal_sums_append_update
      AFTER UPDATE OF merchant_id, environment, created_at, method, status, amount_cents, fee_cents
      ON withdrawals FOR EACH ROW EXECUTE FUNCTION withdrawal_sums_append();
    CREATE TRIGGER withdrawal_sums_append_delete AFTER DELETE ON withdrawals
      FOR EACH ROW EXECUTE FUNCTION withdrawal_sums_append();
  `,
};

/**
 * Adds the withdrawals that are older than the triggers: in one snapshot, the sums of all withdrawals less
 * the sums that the triggers have counted. Blocks no writers, and adds nothing when it runs again.
 */
export const olderWithdrawalSums: Migration = {
  name: '042_older_withdrawal_sums',
  online: [
    `INSERT INTO withdrawal_sums_changes
      SELECT merchant_id, environment, day, method, status, sum(counted), sum(amount_cents), sum(fee_cents)
      FROM (
        SELECT merchant_id, environment, (created_at AT TIME ZONE 'UTC')::date AS day, method, status,
          1 AS counted, amount_cents, fee_cents
        FROM withdrawals
        UNION ALL
        SELECT merchant_id, environment, day, method, status, - counted, - amount_cents, - fee_cents
        FROM withdrawal_sums) AS both_of_them
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(counted) <> 0 OR sum(amount_cents) <> 0 OR sum(fee_cents) <> 0`,
  ],
};
