import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { WithdrawalQuery } from '@plataforma/contracts';
import { openReads, type Reads } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { silent } from '@plataforma/testing/fixtures';
import { databaseOfFile, planOf } from '@plataforma/testing/world';
import { migrations } from '../migrations/index.ts';
import { sumDayOf } from '../src/store/day-totals.ts';
import { getPayee } from '../src/store/destinations.ts';
import { listWithdrawals } from '../src/store/withdrawal-lists.ts';
import { bankBody } from './support/destination-bodies.ts';
import { newTenant } from './support/identity.ts';

const ROWS = 12_000;
const COUNT = `
  INSERT INTO withdrawal_counts_folded (merchant_id, environment, day, method, status, slot, counted)
  SELECT merchant_id, environment, (created_at AT TIME ZONE 'UTC')::date, method, status, 0, count(*)
  FROM withdrawals GROUP BY 1, 2, 3, 4, 5`;
const SUM = `
  INSERT INTO withdrawal_sums_folded
  SELECT merchant_id, environment, (created_at AT TIME ZONE 'UTC')::date, method, status, 0, count(*),
    sum(amount_cents), sum(fee_cents)
  FROM withdrawals GROUP BY 1, 2, 3, 4, 5`;
const [big, other] = [newTenant(), newTenant()];
const database = databaseOfFile(migrations, 2);
let reads: Reads;

/**
 * Inserts withdrawals of five months. One in eleven is a TED. Most are paid, and the others are in the other
 * states.
 */
const SEED = `
  INSERT INTO withdrawals (id, merchant_id, environment, external_id, amount_cents, fee_cents, net_cents,
  status, method,
    pix_key, pix_key_type, bank_account, source, can_be_asked_for, created_at, approvals_needed, started_at,
    provider_tx_id, failure_reason, rejected_reason, ended_at)
  SELECT gen_random_uuid(), CASE n % 10 WHEN 0 THEN $2::uuid ELSE $1::uuid END, 'sandbox', 'folha-' || n,
    1000 + n % 5000, 0, 1000 + n % 5000, status, method,
    CASE method WHEN 'PIX' THEN 'pessoa-' || n % 997 || '@exemplo.com.br' END, CASE method
    WHEN 'PIX' THEN 'EMAIL' END,
    CASE method WHEN 'TED' THEN $3::jsonb END, 'MANUAL', true, at, 0,
    CASE WHEN status IN ('COMPLETED', 'FAILED') THEN at END,
    CASE status WHEN 'COMPLETED' THEN 'E' || replace(gen_random_uuid()::text, '-', '') END,
    CASE status WHEN 'FAILED' THEN 'account_closed' END, CASE status WHEN 'REJECTED' THEN 'x' END,
    CASE WHEN status NOT IN ('PENDING') THEN at END
  FROM (
    SELECT n, now() - n * interval '18 minutes' AS at, CASE n % 11 WHEN 0 THEN 'TED' ELSE 'PIX' END AS method,
      CASE WHEN n % 500 = 7 THEN 'REJECTED' WHEN n % 40 = 1 THEN 'PENDING' WHEN n % 9 = 2 THEN 'REFUSED'
        WHEN n % 13 = 3 THEN 'FAILED' ELSE 'COMPLETED' END AS status
    FROM generate_series(1, ${ROWS}) AS n) AS drawn`;

beforeAll(async () => {
  reads = openReads({ url: database.url, poolSize: 1, log: silent });
  await database.transaction(async (tx) => {
    // Disable the triggers that maintain counters, because one statement counts all rows afterwards.
    await tx.query('SET LOCAL session_replication_role = replica');
    await tx.query(SEED, [big.merchantId, other.merchantId, JSON.stringify(bankBody)]);
  });
  for (const counting of [COUNT, SUM]) await database.query(counting);
  for (const table of ['withdrawals', 'withdrawal_counts_folded', 'withdrawal_sums_folded'])
    await database.query(`VACUUM ANALYZE ${table}`);
});

afterAll(() => reads.close());

const listed = (query: Partial<WithdrawalQuery>) =>
  planOf(reads, (db) => listWithdrawals(db, big, { page: 1, limit: 20, ...query }));

/** Returns the largest number of rows that one scan of the table or an index has read. */
function mostRows(plan: string): number {
  const scans = [...plan.matchAll(/Scan.* on withdrawals.*?rows=([\d.]+)/g)];
  return Math.max(...scans.map(([, rows]) => Number(rows)));
}

describe('a merchant’s list', () => {
  test.each([
    ['all', {}],
    ['by status', { status: 'REJECTED' as const }],
    ['by status and method', { status: 'COMPLETED' as const, method: 'TED' as const }],
    [
      'of days',
      { startDate: new Date(Date.now() - 90 * 86_400_000), endDate: new Date(Date.now() - 60 * 86_400_000) },
    ],
  ])('reads only its page by withdrawals_searched: %s', async (_what, query) => {
    const plan = await listed(query);

    expect(plan).toContain('Index Only Scan using withdrawals_searched');
    expect(plan).toContain('withdrawals_pkey');
    expect(plan).not.toMatch(/Seq Scan on withdrawals /);
    expect(mostRows(plan.replace(/Aggregate[\s\S]*?\n\n/, ''))).toBeLessThanOrEqual(100);
  });

  test('takes its total from withdrawal_counts_pkey and unfolded changes', async () => {
    const plan = await planOf(database, (db) => listWithdrawals(db, newTenant(), { page: 1, limit: 20 }));

    expect(plan).toMatch(/(using|on) withdrawal_counts_pkey\b/);
    expect(plan).toContain('Seq Scan on withdrawal_counts_changes');
  });

  test('has its sums from withdrawal_sums_pkey alone', async () => {
    const plan = await listed({ sums: 'true' });
    const { sums } = await listWithdrawals(reads, big, { page: 1, limit: 20, sums: 'true' });

    const [summed] = await database.query(
      `SELECT count(*)::integer AS count, sum(amount_cents)::bigint AS amount, 0 AS "feeAmount"
       FROM withdrawals WHERE merchant_id = $1 AND status <> 'REFUSED'`,
      [big.merchantId],
    );
    expect(sums).toEqual(summed);
    expect(plan.split('\n\n')[0]).toMatch(/withdrawal_sums_pkey|withdrawal_sums_folded/);
    expect(plan.split('\n\n')[0]).not.toMatch(/ on withdrawals /);
  });

  test.each(['olha-47', 'ninguem de nome assim', '12,34'])(
    'a search for %s reads the index alone',
    async (search) => {
      const [, plan] = (await listed({ search })).split('\n\n');

      expect(plan).toContain('Index Only Scan using withdrawals_searched');
      expect(plan).not.toMatch(/Seq Scan|Heap Fetches: [1-9]/);
    },
  );

  test('after a cursor reads as little as its first page', async () => {
    const { next } = await listWithdrawals(database, big, { page: 200, limit: 20 });

    const plan = await listed(next ? { after: next } : {});

    expect(plan).toContain('ROW(');
    expect(mostRows(plan)).toBeLessThanOrEqual(21);
  });

  test.each([
    ['withdrawals_external_id', { externalId: 'folha-4711' }],
    ['withdrawals_external_id', { search: 'folha-4711' }],
    ['withdrawals_external_id_tail', { search: 'lha-4711' }],
    ['withdrawals_id_tail', { search: 'abcdef01' }],
    ['withdrawals_provider_tx_tail', { search: 'abcdef01' }],
    ['withdrawals_provider_tx_tail', { search: 'E12345678202611211530aB3dE6fG9hJ' }],
    ['withdrawals_payee', { search: 'pessoa-17@exemplo.com.br' }],
  ])('uses %s for the query %o', async (index, query) => {
    const plan = await listed(query);

    expect(plan).toMatch(new RegExp(`(using|on) ${index}\\b`));
    expect(plan).not.toContain('Seq Scan');
    expect(mostRows(plan)).toBeLessThanOrEqual(50);
  });
});

test('the totals of a day are found by withdrawals_list', async () => {
  const payee = { type: 'PIX', pixKeyType: 'EMAIL', pixKey: 'pessoa-17@exemplo.com.br' } as const;

  const plan = await planOf(database, (db) =>
    sumDayOf(db, { ...other, id: newId(), createdAt: new Date(Date.now() - 30 * 86_400_000), payee }),
  );

  expect(plan).toMatch(/(using|on) withdrawals_list\b/);
  expect(mostRows(plan)).toBeLessThanOrEqual(80);
});

test('the age of a payee is found by withdrawals_payee', async () => {
  const payee = { type: 'PIX', pixKeyType: 'EMAIL', pixKey: 'pessoa-17@exemplo.com.br' } as const;
  const order = { amount: 1, source: 'MANUAL', order: null } as const;
  const request = { ...order, externalId: null, destinationId: null, payee };

  expect(await planOf(database, (db) => getPayee(db, big, request, new Date()))).toMatch(
    /(using|on) withdrawals_payee\b/,
  );
});
