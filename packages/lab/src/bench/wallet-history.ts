import { withDatabase } from '@plataforma/testing';
import { idOf, withoutListIndexes } from './filling.ts';

interface Wallet {
  merchantId: string;
  environment: 'sandbox' | 'production';
  rows: number;
}

/**
 * Inserts payments of one year, one in four by card. Each payment is an entry with two rows: the amount and
 * the fee. Card payments of the last 30 days are not settled yet.
 */
const FILL = `
  WITH drawn AS MATERIALIZED (
    SELECT n, ${idOf('at')} AS entry_id, ${idOf('at')} AS charge_id,
      CASE WHEN n % 4 = 0 THEN 'CARD' ELSE 'PIX' END AS method, at
    FROM generate_series($4::integer, $5::integer) AS n,
      LATERAL (SELECT now() - ($3::integer - n) * (interval '365 days' / $3::integer) AS at) AS posted),
  entries AS (
    INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, occurred_at, created_at,
    external_id,
      end_to_end_id)
    SELECT entry_id, 'charge_paid', charge_id, $1, $2, at, at, 'pedido-' || n, 'E' || replace(charge_id::text,
    '-', '')
    FROM drawn),
  settling AS (
    INSERT INTO receivables (charge_id, merchant_id, environment, payment_method, amount_cents,
    remaining_cents,
      settles_at, due_reference)
    SELECT charge_id, $1, $2, method, 2475, CASE WHEN at > now() - interval '29 days' THEN 2475 ELSE 0 END,
      at + interval '30 days', gen_random_uuid()
    FROM drawn WHERE method = 'CARD')
  INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
  balance_after_cents,
    description, payment_method, charge_id, created_at, ordinal)
  SELECT ${idOf('at')}, entry_id, $1, $2, type, amount, (n - 1) * 2475::bigint + after, text || n, method,
  charge_id, at,
    2 * n - 1 + place
  FROM drawn, (VALUES (0, 'CREDIT', 2500, 2500, 'Pix charge pedido-'), (1, 'FEE', -25, 2475,
  'Fee of Pix charge pedido-'))
    AS parts (place, type, amount, after, text)
  ORDER BY n, place`;

const PORTION = 50_000;

/** Inserts payments, which have two rows each, in portions and in the order of time. */
export async function fillWallet(url: string, { merchantId, environment, rows }: Wallet): Promise<void> {
  const payments = rows / 2;
  await withDatabase(url, async (client) => {
    await withoutListIndexes(client, ['journal_entries', 'wallet_transactions', 'receivables'], async () => {
      for (let from = 1; from <= payments; from += PORTION) {
        const until = Math.min(payments, from + PORTION - 1);
        await client.query(FILL, [merchantId, environment, payments, from, until]);
      }
    });
    // After a vacuum, the tables are in the same state as tables that have grown slowly.
    for (const table of ['journal_entries', 'wallet_transactions', 'wallet_row_counts', 'receivables'])
      await client.query(`VACUUM ANALYZE ${table}`);
  });
}
