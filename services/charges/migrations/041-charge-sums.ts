import type { Migration } from '@plataforma/data';

/** The counter of the sums that lists of charges show: the charges of a UTC day of creation. */
export const chargeSums: Migration = {
  name: '041_charge_sums',
  sql: `
    CREATE TABLE charge_sums_folded (
      merchant_id    uuid NOT NULL,
      environment    text NOT NULL,
      day            date NOT NULL,
      payment_method text NOT NULL,
      status         text NOT NULL,
      slot           smallint NOT NULL,
      counted        bigint NOT NULL,
      amount_cents   bigint NOT NULL,
      fee_cents      bigint NOT NULL,
      refunded_cents bigint NOT NULL,
      CONSTRAINT charge_sums_pkey PRIMARY KEY (merchant_id, environment, day, payment_method, status, slot)
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
    CREATE TABLE charge_sums_changes (
      merchant_id    uuid NOT NULL,
      environment    text NOT NULL,
      day            date NOT NULL,
      payment_method text NOT NULL,
      status         text NOT NULL,
      counted        bigint NOT NULL,
      amount_cents   bigint NOT NULL,
      fee_cents      bigint NOT NULL,
      refunded_cents bigint NOT NULL
    ) WITH (
      autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0,
      autovacuum_vacuum_cost_delay = 0);
    CREATE VIEW charge_sums AS
      SELECT merchant_id, environment, day, payment_method, status, counted, amount_cents, fee_cents,
        refunded_cents FROM charge_sums_folded
      UNION ALL
      SELECT merchant_id, environment, day, payment_method, status, counted, amount_cents, fee_cents,
        refunded_cents FROM charge_sums_changes;
    -- Runs as its owner, because the service's role gets its rights on a new table only after the migration.
    CREATE FUNCTION charge_sums_append() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND (OLD.merchant_id, OLD.environment, OLD.created_at, OLD.payment_method,
        OLD.status, OLD.amount_cents, OLD.fee_cents, OLD.refunded_cents)
        IS NOT DISTINCT FROM (NEW.merchant_id, NEW.environment, NEW.created_at, NEW.payment_method,
        NEW.status, NEW.amount_cents, NEW.fee_cents, NEW.refunded_cents)
      THEN RETURN NULL; END IF;
      IF TG_OP <> 'INSERT' THEN
        INSERT INTO charge_sums_changes VALUES (OLD.merchant_id, OLD.environment,
          (OLD.created_at AT TIME ZONE 'UTC')::date, OLD.payment_method, OLD.status, -1, - OLD.amount_cents,
          - OLD.fee_cents, - coalesce(OLD.refunded_cents, 0));
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO charge_sums_changes VALUES (NEW.merchant_id, NEW.environment,
          (NEW.created_at AT TIME ZONE 'UTC')::date, NEW.payment_method, NEW.status, 1, NEW.amount_cents,
          NEW.fee_cents, coalesce(NEW.refunded_cents, 0));
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER charge_sums_append_insert AFTER INSERT ON charges
      FOR EACH ROW EXECUTE FUNCTION charge_sums_append();
    CREATE TRIGGER charge_sums_append_update AFTER UPDATE OF merchant_id, environment, created_at,
      payment_method, status, amount_cents, fee_cents, refunded_cents ON charges
      FOR EACH ROW EXECUTE FUNCTION charge_sums_append();
    CREATE TRIGGER charge_sums_append_delete AFTER DELETE ON charges
      FOR EACH ROW EXECUTE FUNCTION charge_sums_append();
  `,
};

/**
 * Adds the charges that are older than the triggers: in one snapshot, the sums of all charges less the sums
 * that the triggers have counted. Blocks no writers, and adds nothing when it runs again.
 */
export const olderChargeSums: Migration = {
  name: '041_older_charge_sums',
  online: [
    `INSERT INTO charge_sums_changes
      SELECT merchant_id, environment, day, payment_method, status, sum(counted), sum(amount_cents),
        sum(fee_cents), sum(refunded_cents)
      FROM (
        SELECT merchant_id, environment, (created_at AT TIME ZONE 'UTC')::date AS day, payment_method, status,
          1 AS counted, amount_cents, fee_cents, coalesce(refunded_cents, 0) AS refunded_cents
        FROM charges
        UNION ALL
        SELECT merchant_id, environment, day, payment_method, status, - counted, - amount_cents, - fee_cents,
          - refunded_cents
        FROM charge_sums) AS both_of_them
      GROUP BY 1, 2, 3, 4, 5
      HAVING sum(counted) <> 0 OR sum(amount_cents) <> 0 OR sum(fee_cents) <> 0 OR sum(refunded_cents) <> 0`,
  ],
};
