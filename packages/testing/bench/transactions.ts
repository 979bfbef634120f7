import { randomUUID } from 'node:crypto';
import type { Platform } from '@plataforma/local';
import { withDatabase } from '../src/with-database.ts';
import { atMost, counted, type Figures, milliseconds, type Row, said, times } from './figures.ts';
import { type Http, httpTo } from './http.ts';
import { spread } from './measure.ts';
import type { Workbench } from './run.ts';

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
export async function transactions(bench: Workbench<Platform>): Promise<Figures> {
  const platform = await bench.platform();
  const { baseUrl, demo } = platform.facts;
  const merchantId = await merchantOf(platform);
  const ledger = platform.databaseUrls.ledger;
  await fill(ledger, { merchantId, environment: 'production', count: FEW });
  await fill(ledger, { merchantId, environment: 'sandbox', count: MANY });
  const small = httpTo(bench, baseUrl, { headers: { 'x-api-key': demo.liveKey }, connections: 1 });
  const large = httpTo(bench, baseUrl, { headers: { 'x-api-key': demo.sandboxKey }, connections: 1 });

  const rows: Row[] = [];
  for (const [what, path] of lists) {
    // A page behind the last is empty in the small wallet, and nothing to compare with.
    const before = what.startsWith('page 1') ? spread(await timed(small, path)) : null;
    const after = spread(await timed(large, path));
    rows.push({ what, ...after, ...(before ? besideSmall(after.p50, before.p50) : deep(after.p50)) });
  }
  await fillReceivables(ledger, merchantId);
  rows.push(...(await beside(bench, baseUrl, demo.sandboxKey)));
  return {
    about: `\`GET /v1/transactions\` of a wallet with ${counted(MANY)} rows; the figure is its p50 to that of a wallet with ${counted(FEW)}.`,
    rows,
  };
}

/** What settles, and the file of a thousand rows from the middle of the wallet. */
async function beside(bench: Workbench<Platform>, baseUrl: string, key: string): Promise<Row[]> {
  const asked = (accept: string) =>
    httpTo(bench, baseUrl, { headers: { 'x-api-key': key, accept }, connections: 1 });
  const hours = 'startDate=2026-03-01T00:00:00Z&endDate=2026-03-01T04:19:11Z';
  const more = [
    ['receivables by day', '/v1/receivables', 'application/json'],
    ['a file of 1,000 rows', `/v1/statement?${hours}`, 'text/csv'],
    ['the same in pt-BR', `/v1/statement?${hours}&locale=pt-BR`, 'text/csv'],
    [
      'closings of 90 days',
      '/v1/statement/closings?startDate=2026-03-01&endDate=2026-05-29',
      'application/json',
    ],
  ] as const;
  const rows: Row[] = [];
  for (const [what, path, accept] of more) {
    const taken = spread(await timed(asked(accept), path));
    rows.push({ what, ...taken, ...deep(taken.p50) });
  }
  return rows;
}

function besideSmall(p50: number, small: number): Omit<Row, 'what'> {
  const value = times(p50 / small);
  return { value, aim: atMost(value, 1.5), note: `of the small wallet: p50 ${said(milliseconds(small))}` };
}

function deep(p50: number): Omit<Row, 'what'> {
  const aim = atMost(milliseconds(p50), 50);
  return { aim: { ...aim, words: `p50 ${aim.words}` } };
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

export async function merchantOf({ facts, databaseUrls }: Platform): Promise<string> {
  const sql = 'SELECT organization_id AS id FROM users WHERE email = $1';
  const { rows } = await withDatabase(databaseUrls.gateway, (client) =>
    client.query<{ id: string }>(sql, [facts.demo.email]),
  );
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

async function fill(url: string, { merchantId, environment, count }: Wallet): Promise<void> {
  const entryId = randomUUID();
  await withDatabase(url, async (client) => {
    await client.query(
      `INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, occurred_at)
       VALUES ($1, 'charge_paid', $1, $2, $3, now())`,
      [entryId, merchantId, environment],
    );
    await client.query(FILL, [entryId, merchantId, environment, count]);
    // As a table is that has grown slowly.
    await client.query('VACUUM ANALYZE wallet_transactions');
    await client.query('VACUUM ANALYZE wallet_row_counts');
  });
}

/** Ten thousand card charges that settle over the next thirty days. */
const FILL_RECEIVABLES = `
  INSERT INTO receivables (charge_id, merchant_id, environment, payment_method, amount_cents, remaining_cents,
    settles_at, due_reference)
  SELECT gen_random_uuid(), $1, 'sandbox', 'CARD', 2475, 2475, now() + (1 + n % 30) * interval '1 day', gen_random_uuid()
  FROM generate_series(1, 10000) AS n`;

async function fillReceivables(url: string, merchantId: string): Promise<void> {
  await withDatabase(url, async (client) => {
    await client.query(FILL_RECEIVABLES, [merchantId]);
    await client.query('VACUUM ANALYZE receivables');
  });
}
