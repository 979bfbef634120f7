import { withDatabase } from '@plataforma/testing';
import type pg from 'pg';

export interface Payment {
  eventId: string;
  chargeId: string;
  merchantId: string;
}

const BATCH_SIZE = 200;

/**
 * One statement that writes the ledger's rows for a batch of payments of 2500 cents with a fee of 25. It
 * writes no hashes.
 */
const ALL_AT_ONCE = `
  WITH told AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS p (event, charge, merchant)),
  seen AS (INSERT INTO inbox (event_id) SELECT event FROM told ON CONFLICT DO NOTHING RETURNING event_id),
  fresh AS MATERIALIZED (
    SELECT gen_random_uuid() AS entry, p.*, row_number() OVER (PARTITION BY merchant ORDER BY event) AS n
    FROM told p JOIN seen ON seen.event_id = p.event),
  locked AS (
    UPDATE wallets w SET available_pix_cents = w.available_pix_cents + s.n * 2475,
      total_earned_cents = w.total_earned_cents + s.n * 2500,
      total_fees_paid_cents = w.total_fees_paid_cents + s.n * 25
    FROM (SELECT merchant, count(*) AS n FROM fresh GROUP BY 1) s
    WHERE w.merchant_id = s.merchant AND w.environment = 'sandbox'
    RETURNING w.merchant_id, w.available_pix_cents - s.n * 2475 AS before),
  entries AS (
    INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, charge_id, occurred_at)
    SELECT entry, 'charge_paid', charge, merchant, 'sandbox', charge, now() FROM fresh),
  lines AS (
    INSERT INTO journal_lines (entry_id, account, amount_cents)
    SELECT entry, line.account, line.amount
    FROM fresh CROSS JOIN (VALUES ('clearing:PIX', -2500), ('available:PIX', 2475), ('fees',
    25)) AS line (account, amount))
  INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
  balance_after_cents,
    description, payment_method, charge_id, created_at, ordinal)
  SELECT gen_random_uuid(), p.entry, p.merchant, 'sandbox', line.type, line.amount,
    locked.before + (p.n - 1) * 2475 + line.after, line.name || left(p.charge::text, 8), 'PIX', p.charge,
    clock_timestamp(), coalesce(last.ordinal, 0) + (p.n - 1) * 2 + line.place
  FROM fresh p JOIN locked ON locked.merchant_id = p.merchant
  LEFT JOIN LATERAL (SELECT t.ordinal FROM wallet_transactions t
    WHERE t.merchant_id = p.merchant AND t.environment = 'sandbox' ORDER BY t.ordinal DESC LIMIT 1) last
    ON true
  CROSS JOIN (VALUES ('CREDIT', 2500, 2500, 1, 'Pix charge '), ('FEE', -25, 2475, 2, 'Fee of Pix charge '))
    AS line (type, amount, after, place, name)`;

/**
 * Runs one statement for each batch of payments, one batch after the other. Returns the payments per second.
 */
export async function asOneStatement(url: string, payments: readonly Payment[]): Promise<number> {
  const batches = Array.from({ length: Math.ceil(payments.length / BATCH_SIZE) }, (_, n) =>
    payments.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE),
  );
  return withDatabase(url, async (client) => {
    await openWallets(client, payments);
    const startedAt = performance.now();
    for (const batch of batches) {
      await client.query({ name: 'all at once', text: ALL_AT_ONCE, values: columnsOf(batch) });
    }
    return (payments.length * 1000) / (performance.now() - startedAt);
  });
}

function columnsOf(payments: readonly Payment[]): string[][] {
  return [
    payments.map(({ eventId }) => eventId),
    payments.map(({ chargeId }) => chargeId),
    payments.map(({ merchantId }) => merchantId),
  ];
}

async function openWallets(client: pg.Client, payments: readonly Payment[]): Promise<void> {
  const merchants = [...new Set(payments.map(({ merchantId }) => merchantId))];
  // The triggers require a hash chain, which these entries do not have.
  await client.query('ALTER TABLE wallets DISABLE TRIGGER wallets_booked, DISABLE TRIGGER wallets_totals');
  await client.query(`INSERT INTO wallets (merchant_id, environment) SELECT unnest($1::uuid[]), 'sandbox'`, [
    merchants,
  ]);
}
