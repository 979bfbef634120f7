import { beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Queryable, Row } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { databaseOfFile, type Scan, watchScans } from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';
import { sumAccounts } from '../../src/store/accounts.ts';
import { listAvailable } from '../../src/store/available-rows.ts';
import { listTransactions } from '../../src/store/statement.ts';
import { findWalletAt } from '../../src/store/statement-balance.ts';
import { findPeriod } from '../../src/store/statement-period.ts';
import { newTenant } from '../support/identity.ts';

const BIG = 30_000;
const SMALL = 600;
const OTHERS = 5;

const [big, small] = [newTenant(), newTenant()];
const database = databaseOfFile(migrations, 2);

/**
 * The number of payments that one SQL statement inserts. A larger statement could time out on a busy machine.
 */
const PAIRS_OF_SEED = 1_000;

/**
 * Inserts two rows for each payment, mixed among the wallets, to reveal a query that reads other wallets'
 * rows. `$1`: merchants. `$2`: rows of each merchant. `$3`, `$4`: first and last payment.
 */
const SEED = `
  WITH sizes AS (SELECT * FROM unnest($1::uuid[], $2::integer[]) AS size (merchant_id, rows)),
  payments AS (
    INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, occurred_at, external_id)
    SELECT gen_random_uuid(), 'charge_paid', gen_random_uuid(), merchant_id, 'sandbox', now(), pair
    FROM sizes, generate_series($3::integer, least($4::integer, (rows + 1) / 2)) AS pair
    RETURNING id, reference, merchant_id, external_id)
  INSERT INTO wallet_transactions (id, entry_id, charge_id, merchant_id, environment, type, amount_cents,
    balance_after_cents, description, payment_method, created_at, ordinal)
  SELECT gen_random_uuid(), payments.id, payments.reference, merchant_id, 'sandbox', type,
    CASE WHEN type = 'CREDIT' OR place = 5 THEN 100 + place ELSE -(100 + place) END, place,
    'Pix charge ' || place,
    CASE WHEN place % 7 = 0 THEN 'CARD' ELSE 'PIX' END,
    CASE WHEN place <= rows / 2 THEN timestamptz '2026-01-01' + place * interval '1 hour' / rows * 4000
      ELSE timestamptz '2026-11-20' + place * interval '1 second' / rows * 80000 END, place
  FROM sizes JOIN payments USING (merchant_id), LATERAL (
    SELECT place, CASE WHEN place = 5 OR place % 25 = 5 THEN 'REFUND' WHEN place % 2 = 0 THEN 'CREDIT'
    ELSE 'FEE' END AS type
    FROM unnest(ARRAY[2 * external_id::integer - 1, 2 * external_id::integer]) AS place) AS drawn
  ORDER BY place, merchant_id`;

beforeAll(async () => {
  const others = Array.from({ length: OTHERS }, () => newTenant().merchantId);
  const merchants = [big.merchantId, small.merchantId, ...others];
  const rows = [BIG, SMALL, ...others.map(() => BIG / OTHERS)];
  for (let first = 1; first <= BIG / 2; first += PAIRS_OF_SEED) {
    await database.query(SEED, [merchants, rows, first, first + PAIRS_OF_SEED - 1]);
  }
  await database.query('VACUUM ANALYZE journal_entries');
  await database.query('VACUUM ANALYZE wallet_transactions');
  await database.query('VACUUM ANALYZE wallet_row_counts');
});

interface Cost {
  /** The number of table rows and index entries that the queries read. */
  read: number;
  scannedWhole: string[];
}

/** Returns a connection that measures its queries and sums up their cost. */
function measured(): { db: Queryable; cost: Cost } {
  const { db, scans } = watchScans(database);
  const isWhole = ({ kind }: Scan) => kind === 'Seq Scan';
  const cost = {
    get read() {
      return scans.reduce((total, { read }) => total + read, 0);
    },
    get scannedWhole() {
      return scans.filter(isWhole).map(({ kind }) => kind);
    },
  };
  return { db, cost };
}

async function costOfPage(tenant: Tenant, query: object): Promise<Cost> {
  const { db, cost } = measured();
  await listTransactions(db, tenant, api.listTransactions.query.parse(query));
  return cost;
}

const counted = [
  {},
  { type: 'CREDIT' },
  { type: 'REFUND' },
  { type: 'REFUND', flow: 'in' },
  { type: 'WITHDRAWAL' },
  { flow: 'in' },
  { flow: 'out' },
  { paymentMethod: 'CARD' },
  { paymentMethod: 'BOLETO' },
  { type: 'FEE', paymentMethod: 'CARD', flow: 'out' },
  { startDate: '2026-11-20', endDate: '2026-11-20' },
  { startDate: '2026-11-20', flow: 'out' },
  { endDate: '2026-03-01', type: 'CREDIT' },
];

describe.each(counted)('a list with the filters %j', (filters) => {
  test('reads no more of large wallets for the first page', async () => {
    const [large, little] = [await costOfPage(big, filters), await costOfPage(small, filters)];

    expect([...large.scannedWhole, ...little.scannedWhole]).toEqual([]);
    expect(large.read).toBeLessThanOrEqual(400);
    expect(large.read).toBeLessThanOrEqual(little.read * 1.5 + 20);
  });

  test('reads only index entries of its wallet for late pages', async () => {
    const { read, scannedWhole } = await costOfPage(big, { ...filters, page: 70, limit: 100 });

    expect(scannedWhole).toEqual([]);
    expect(read).toBeLessThanOrEqual(10_000);
  });
});

test('any page without filters reads only its own rows', async () => {
  for (const page of [1, 2, 150, 299]) {
    const { read } = await costOfPage(big, { page, limit: 100 });
    expect(read).toBeLessThanOrEqual(300);
  }
});

test('a late page of a filtered list skips earlier days', async () => {
  // The requested page comes after all rows of 2026-11-20, the only day with many rows.
  const { read } = await costOfPage(big, { type: 'CREDIT', page: 79, limit: 100 });

  expect(read).toBeLessThanOrEqual(2_000);
});

test('search and amount filters read only this wallet’s period', async () => {
  for (const filters of [{ search: 'nowhere' }, { minAmount: 99_999 }, { search: 'charge 7', flow: 'in' }]) {
    const { read, scannedWhole } = await costOfPage(small, filters);

    expect(scannedWhole).toEqual([]);
    expect(read).toBeLessThanOrEqual(2 * SMALL + 400);
  }
});

test('a file reads each row and each payment’s entry once', async () => {
  const { db, cost } = measured();
  let rows = 0;
  const found = await findPeriod(db, big, {});
  for await (const batch of found.rows(db, 'desc')) rows += batch.length;

  expect(rows).toBe(BIG);
  expect(cost.scannedWhole).toEqual([]);
  expect(cost.read).toBeLessThanOrEqual(BIG + BIG / 2 + 200);
});

test('adding up an environment reads no entry of the other', async () => {
  const { db, cost } = measured();

  expect(await sumAccounts(db, 'production')).toEqual(new Map());

  expect(cost.read).toBe(0);
});

test('a search uses one connection and leaves the others free', async () => {
  let running = 0;
  let most = 0;
  const counting: Queryable = {
    query: (text, values) => counting.queryUnprepared(text, values ?? []),
    async queryUnprepared<R extends Row>(text: string, values: readonly unknown[]) {
      running += 1;
      most = Math.max(most, running);
      const rows = await database.queryUnprepared<R>(text, values);
      running -= 1;
      return rows;
    },
  };

  const { total } = await listTransactions(counting, small, { page: 1, limit: 5, search: 'charge 1' });

  expect(total).toBeGreaterThan(5);
  expect(most).toBe(1);
});

test('a past balance reads only entries since the nearest snapshot', async () => {
  await database.query(
    `INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, occurred_at, created_at)
     SELECT gen_random_uuid(), 'charge_paid', gen_random_uuid(), $1, 'sandbox', now(),
       timestamptz '2026-01-01' + place * interval '1 second' FROM generate_series(1, ${BIG}) AS place`,
    [big.merchantId],
  );
  const insertSnapshot = `
    INSERT INTO wallet_snapshots SELECT merchant_id, environment, '2026-01-01T01:00:00Z', to_jsonb(wallets)
    FROM wallets WHERE merchant_id = $1`;
  const { merchantId, environment } = big;
  await database.query('INSERT INTO wallets (merchant_id, environment) VALUES ($1, $2)', [
    merchantId,
    environment,
  ]);
  await database.query(insertSnapshot, [merchantId]);
  await database.query('VACUUM ANALYZE journal_entries');

  const later = measured();
  await findWalletAt(later.db, big, new Date('2026-01-01T01:01:40Z'));
  const latest = measured();
  await findWalletAt(latest.db, big, new Date());

  expect(later.cost.read).toBeLessThanOrEqual(110);
  expect(latest.cost.read).toBeLessThanOrEqual(10);
});

test('an available balance page reads few entries beyond its count', async () => {
  await database.query(`INSERT INTO journal_lines SELECT id, account, amount FROM journal_entries,
    (VALUES ('available:PIX', 1), ('clearing:PIX', -1)) AS line (account, amount)`);
  await database.query(
    `INSERT INTO wallet_snapshots SELECT merchant_id, environment, min(created_at),
       (SELECT to_jsonb(wallets) FROM wallets WHERE merchant_id = $1) FROM (
       SELECT *, row_number() OVER (ORDER BY created_at) / 200 AS portion FROM journal_entries
       WHERE merchant_id = $1) AS own
     GROUP BY merchant_id, environment, portion ON CONFLICT DO NOTHING`,
    [big.merchantId],
  );
  for (const table of ['journal_lines', 'wallet_snapshots']) await database.query(`VACUUM ANALYZE ${table}`);
  const costOf = async (filters: object) => {
    const { db, scans } = watchScans(database);
    const query = api.getStatement.query.parse({ view: 'available', ...filters });
    const page = await listAvailable(db, big, query);
    const entries = scans.filter(({ table }) => table === 'journal_entries');
    expect(entries.filter(({ kind }) => kind === 'Seq Scan')).toEqual([]);
    return { ...page, read: entries.reduce((total, { read }) => total + read, 0) };
  };

  const first = await costOf({});
  const second = await costOf({ after: first.next });
  const short = await costOf({ startDate: '2026-01-01T02:00:00Z', endDate: '2026-01-01T02:00:29.999Z' });

  expect([first, second]).toMatchObject(Array(2).fill({ total: 10_000, isCapped: true }));
  expect(Math.max(first.read, second.read)).toBeLessThanOrEqual(11_000);
  expect(short).toMatchObject({ total: 30, isCapped: false });
  expect(short.read).toBeLessThanOrEqual(1_000);
});
