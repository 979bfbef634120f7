import { eventually } from '@plataforma/local';
import { withDatabase } from '@plataforma/testing';
import { idOf, withoutListIndexes } from './filling.ts';

interface History {
  merchantId: string;
  environment: 'sandbox' | 'production';
  rows: number;
}

/**
 * Inserts charges of one year: one in ten by card, two thirds paid, a few disputed, one in forty pending. The
 * ids begin with the time. Only the oldest fiftieth of the charges has payers with the surname Amaral.
 */
const FILL = `
  INSERT INTO charges (id, merchant_id, environment, external_id, txid, payment_method, amount_cents,
  fee_cents,
    net_cents, status, payer_name, payer_document, qr_code, created_at, expires_at, paid_at, end_to_end_id,
    installments, acquirer_id, next_check_at)
  SELECT id, $1::uuid, $2::text, 'pedido-' || lpad(n::text, 9, '0'), replace(id::text, '-', ''), method,
    1000 + n % 5000, 25, 975 + n % 5000, status,
    (ARRAY['Ana', 'Bia', 'Caio', 'Davi', 'Eva', 'Ines'])[1 + n % 6] || ' ' || CASE
    WHEN n <= $3::integer / 50 THEN 'Amaral'
      ELSE (ARRAY['Souza', 'Lima', 'Reis', 'Prado', 'Nunes'])[1 + n % 5] END,
    lpad((n % 99991)::text, 11, '0'), repeat('x', 160), at, at + interval '1 hour', CASE
    WHEN is_paid THEN at END,
    CASE WHEN is_paid AND method = 'PIX' THEN 'E00000000' || to_char(at, 'YYYYMMDDHH24MI') || right(id::text,
    11) END,
    CASE method WHEN 'CARD' THEN 1 END, CASE method WHEN 'CARD' THEN 'or_' || id END, 'infinity'
  FROM (
    SELECT n, ${idOf('at')} AS id, at,
      CASE WHEN n % 10 = 0 THEN 'CARD' ELSE 'PIX' END AS method,
      CASE WHEN n % 1000 = 7 THEN 'DISPUTED' WHEN n % 10 = 0 THEN 'PAID' WHEN n % 3 = 0 THEN 'EXPIRED'
        WHEN n % 40 = 1 THEN 'PENDING' ELSE 'PAID' END AS status
    FROM generate_series($4::integer, $5::integer) AS n,
      LATERAL (SELECT now() - ($3::integer - n) * (interval '365 days' / $3::integer) AS at) AS created) AS
      drawn,
    LATERAL (SELECT status IN ('PAID', 'DISPUTED') AS is_paid) AS paid`;

/** Adds the inserted charges to a table of totals, because no trigger counts rows during the fill. */
const countIn = (counts: string, columns: readonly string[]) => `
  INSERT INTO ${counts}_changes (merchant_id, environment, day, payment_method, status, ${columns.join(', ')})
  SELECT merchant_id, environment, day, payment_method, status,
    ${columns.map((column) => `sum(${column})`).join(', ')}
  FROM (
    SELECT merchant_id, environment, (created_at AT TIME ZONE 'UTC')::date AS day, payment_method, status,
    1 AS counted, amount_cents, fee_cents, coalesce(refunded_cents, 0) AS refunded_cents
    FROM charges
    UNION ALL
    SELECT merchant_id, environment, day, payment_method, status, ${['counted', ...SUMMED]
      .map((column) => (columns.includes(column) ? `- ${column}` : '0'))
      .join(', ')}
    FROM ${counts}) AS both_of_them
  WHERE merchant_id = $1 AND environment = $2 GROUP BY 1, 2, 3, 4, 5 HAVING sum(counted) <> 0`;
const SUMMED = ['amount_cents', 'fee_cents', 'refunded_cents'];

const SUM = `
  INSERT INTO charge_volumes_changes (merchant_id, environment, hour, payment_method, paid, declined,
  gross_cents,
    fee_cents, refunded_cents, disputed_cents)
  SELECT merchant_id, environment, date_trunc('hour', paid_at, 'UTC'), payment_method, count(*), 0,
  sum(amount_cents),
    sum(fee_cents), 0, 0
  FROM charges WHERE merchant_id = $1 AND environment = $2 AND paid_at IS NOT NULL GROUP BY 1, 2, 3, 4`;

const UNFOLDED = `
  SELECT FROM charge_counts_changes WHERE merchant_id = $1
  UNION ALL SELECT FROM charge_sums_changes WHERE merchant_id = $1
  UNION ALL SELECT FROM charge_volumes_changes WHERE merchant_id = $1`;

const PORTION = 100_000;

/**
 * Inserts a history of charges, counts it in one statement, and waits until the platform has folded these
 * counts into the totals.
 */
export async function fillHistory(url: string, { merchantId, environment, rows }: History): Promise<void> {
  await withDatabase(url, async (client) => {
    await client.query('SET session_replication_role = replica');
    await withoutListIndexes(client, ['charges'], async () => {
      for (let from = 1; from <= rows; from += PORTION) {
        const until = Math.min(rows, from + PORTION - 1);
        await client.query(FILL, [merchantId, environment, rows, from, until]);
      }
    });
    await client.query('SET session_replication_role = DEFAULT');
    const counting = [countIn('charge_counts', ['counted']), countIn('charge_sums', ['counted', ...SUMMED])];
    for (const statement of [...counting, SUM]) await client.query(statement, [merchantId, environment]);
    await eventually(async () => {
      const { rowCount } = await client.query(UNFOLDED, [merchantId]);
      if (rowCount !== 0) throw new Error('the platform has not folded its counters');
    });
    // After a vacuum, the tables are in the same state as tables that have grown slowly.
    for (const counters of ['charge_counts', 'charge_sums', 'charge_volumes'])
      await client.query(`VACUUM ANALYZE ${counters}_folded, ${counters}_changes`);
    await client.query('VACUUM ANALYZE charges');
  });
}

/** Returns any sandbox charge of the merchant that is more than 180 days old. */
export async function someCharge(
  url: string,
  merchantId: string,
): Promise<{ id: string; externalId: string }> {
  const sql = `SELECT id, external_id AS "externalId" FROM charges
    WHERE merchant_id = $1 AND environment = 'sandbox' AND created_at < now() - interval '180 days' LIMIT 1`;
  const { rows } = await withDatabase(url, (client) =>
    client.query<{ id: string; externalId: string }>(sql, [merchantId]),
  );
  if (!rows[0]) throw new Error('there is no such charge');
  return rows[0];
}
