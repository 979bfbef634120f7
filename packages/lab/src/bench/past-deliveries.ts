import { pastMonthsSql, startOfMonth, withDatabase } from '@plataforma/testing';
import { idOf } from './filling.ts';

/** As many in a few months as in many. */
export const PAST = 240_000;

const TABLES = ['events', 'deliveries', 'delivery_attempts', 'inbox'];

const STORAGE = `
  DO $$ DECLARE part regclass; BEGIN
    FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'deliveries'::regclass
    LOOP EXECUTE format('ALTER TABLE %s SET (fillfactor = 60)', part); END LOOP;
  END $$`;

/** Each month is needed for as long, so that none is dropped meanwhile. */
const LETTERS = `
  INSERT INTO dead_letters (id, fingerprint, event_id, body, died_at)
  SELECT id, id::text, id, '', now() FROM (SELECT ${idOf("now() - n * interval '1 month'")} AS id FROM generate_series(0, $1 - 1) AS n) AS letters`;

/** Each at its time within the months up to now. */
const FILL = `
  WITH configured AS (
    INSERT INTO configurations (id, merchant_id, environment, url, events, is_active, secret_key_id, secret_sealed)
    VALUES (gen_random_uuid(), gen_random_uuid(), 'sandbox', 'https://shop.example/', '{}', false, 'first', '')
    RETURNING id, merchant_id),
  stored AS (
    INSERT INTO events (id, merchant_id, environment, type, resource_id, body, occurred_at, created_at)
    SELECT ${idOf('at')}, merchant_id, 'sandbox', 'charge.paid', gen_random_uuid(), repeat('x', 300), at, at
    FROM configured, generate_series(1, ${PAST}) AS n,
      LATERAL (SELECT now() - (now() - $1::timestamptz) * n / ${PAST} AS at) AS moment
    RETURNING *),
  delivered AS (
    INSERT INTO deliveries
      (id, merchant_id, environment, event_id, event_type, configuration_id, status, attempts, due_at, created_at)
    SELECT ${idOf('created_at')}, stored.merchant_id, 'sandbox', stored.id, type, configured.id, 'SUCCEEDED', 1, NULL, created_at
    FROM stored, configured RETURNING *)
  INSERT INTO delivery_attempts (delivery_id, event_id, number, merchant_id, environment, at, duration_ms, status_code)
  SELECT id, event_id, 1, merchant_id, 'sandbox', created_at, 5, 200 FROM delivered`;

/** Deliveries that are final, in a partition of each of so many months up to now; the tables are empty before. */
export async function fillMonths(ownerUrl: string, months: number): Promise<void> {
  await withDatabase(ownerUrl, async (owner) => {
    await owner.query(pastMonthsSql(TABLES, months));
    await owner.query(STORAGE);
    await owner.query(LETTERS, [months]);
    await owner.query(FILL, [startOfMonth(1 - months)]);
    for (const table of TABLES) await owner.query(`VACUUM ANALYZE ${table}`);
  });
}
