import { randomUUID } from 'node:crypto';
import type { Platform } from '@plataforma/local';
import pg from 'pg';
import { type Http, httpTo } from './http.ts';
import { quantile, spread } from './measure.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const REQUESTS = 300;

const lists = [
  ['page 1', '/v1/transactions?limit=20'],
  ['page 1, type', '/v1/transactions?limit=20&type=FEE'],
  ['page 1, flow', '/v1/transactions?limit=20&flow=in'],
  ['page 1, month', '/v1/transactions?limit=20&startDate=2026-03-01&endDate=2026-03-31'],
  ['page 5,000', '/v1/transactions?limit=100&page=5000'],
  ['page 2,500, type', '/v1/transactions?limit=100&page=2500&type=FEE'],
] as const;

/** GET /v1/transactions through the gateway, of a wallet with ten thousand rows and of one with a million. */
export async function transactions(platform: Platform): Promise<string[]> {
  const { baseUrl, demo } = platform.facts;
  const merchantId = await merchantOf(platform);
  const few = await filled(platform.databaseUrls.ledger, {
    merchantId,
    environment: 'production',
    count: FEW,
  });
  const many = await filled(platform.databaseUrls.ledger, {
    merchantId,
    environment: 'sandbox',
    count: MANY,
  });
  const small = httpTo(baseUrl, { 'x-api-key': demo.liveKey }, 1);
  const large = httpTo(baseUrl, { 'x-api-key': demo.sandboxKey }, 1);

  const figures = [];
  for (const [name, path] of lists) {
    // A page behind the last is empty in the small wallet, and nothing to compare with.
    const before = name.startsWith('page 1') ? await timed(small, path) : null;
    const after = await timed(large, path);
    const ratio = before ? `   ${(quantile(after, 0.5) / quantile(before, 0.5)).toFixed(2)} ×` : '';
    figures.push(
      `  ${name.padEnd(17)} ${before ? spread(before) : ''.padEnd(42)}  |  ${spread(after)}${ratio}`,
    );
  }
  await Promise.all([small.close(), large.close()]);
  return [
    `GET /v1/transactions, ${few} rows | ${many} rows   (aim: page 1 within 1.5 ×, deep pages under 50 ms)`,
    ...figures,
  ];
}

async function timed(merchant: Http, path: string): Promise<number[]> {
  const latencies = [];
  for (let n = 0; n < REQUESTS * 1.1; n += 1) {
    const startedAt = performance.now();
    const { status, text } = await merchant.send({ method: 'GET', path });
    if (status !== 200) throw new Error(`${status}: ${text.slice(0, 200)}`);
    latencies.push(performance.now() - startedAt);
  }
  return latencies.slice(REQUESTS / 10);
}

async function merchantOf({ facts, databaseUrls }: Platform): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrls.gateway });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    'SELECT organization_id AS id FROM users WHERE email = $1',
    [facts.demo.email],
  );
  await client.end();
  return rows[0]?.id ?? '';
}

interface Wallet {
  merchantId: string;
  environment: 'sandbox' | 'production';
  count: number;
}

/** Rows of half a year, of which every second is a fee; the triggers of the table count them. */
const FILL = `
  INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents, balance_after_cents,
    description, payment_method, charge_id, created_at, ordinal)
  SELECT gen_random_uuid(), $1, $2, $3, CASE n % 2 WHEN 0 THEN 'FEE' ELSE 'CREDIT' END,
    CASE n % 2 WHEN 0 THEN -25 ELSE 2500 END, n * 1238, 'Pix charge pedido-' || n, 'PIX', gen_random_uuid(),
    timestamptz '2026-01-01T00:00:00Z' + n * (interval '180 days' / $4::integer), n
  FROM generate_series(1, $4::integer) AS n`;

async function filled(url: string, { merchantId, environment, count }: Wallet): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const entryId = randomUUID();
  await client.query(
    `INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, occurred_at)
     VALUES ($1, 'charge_paid', $1, $2, $3, now())`,
    [entryId, merchantId, environment],
  );
  await client.query(FILL, [entryId, merchantId, environment, count]);
  // As a table is that has grown slowly.
  await client.query('VACUUM ANALYZE wallet_transactions');
  await client.query('VACUUM ANALYZE wallet_row_counts');
  await client.end();
  return count.toLocaleString('en');
}
