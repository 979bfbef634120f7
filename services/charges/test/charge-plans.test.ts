import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChargeQuery } from '@plataforma/contracts';
import type { Database, Queryable } from '@plataforma/data';
import { openTestDatabase, planOf } from '@plataforma/testing/world';
import { migrations } from '../migrations/index.ts';
import { countCards } from '../src/checkouts/store/link-cards.ts';
import { newCharge } from '../src/domain/new-charge.ts';
import { findRecordedPayments } from '../src/reconciliation/store/recorded-payments.ts';
import { findDeclinedAttempt } from '../src/store/card-attempts.ts';
import { listCharges } from '../src/store/charge-lists.ts';
import {
  findChargeByAcquirerId,
  findChargeByEndToEnd,
  findChargeByTxid,
} from '../src/store/charge-lookups.ts';
import { findAnyCharge, findChargeByExternalId } from '../src/store/charges.ts';
import { dueCharges, watchedAttempts } from '../src/store/due-charges.ts';
import { listAllCharges } from '../src/store/lists.ts';
import { expiredByClock } from '../src/store/moved-clocks.ts';
import { insertCharge, setQrCode } from '../src/store/new-charges.ts';
import { readChargeRecords } from '../src/store/timeline.ts';
import { readUnknownOutcomes } from '../src/store/unknown-outcomes.ts';
import { makeRefundsAndReturnsDue } from '../src/store/unmatched-returns.ts';
import { newTenant } from './support/identity.ts';

const ROWS = 12_000;
const COUNT = `
  INSERT INTO charge_counts_folded (merchant_id, environment, day, payment_method, status, slot, counted)
  SELECT merchant_id, environment, (created_at AT TIME ZONE 'UTC')::date, payment_method, status, 0, count(*)
  FROM charges GROUP BY 1, 2, 3, 4, 5`;
const [big, other] = [newTenant(), newTenant()];
const paid = { id: '' };
let database: Database;

/**
 * Inserts charges of five months. One charge in ten is by card. Charges are pending, paid, expired, or rarely
 * disputed. The oldest charges have another payer's name.
 */
const seedOf = (rows: number) => `
  INSERT INTO charges (id, merchant_id, environment, external_id, txid, payment_method, amount_cents,
  fee_cents,
    net_cents, status, payer_name, payer_document, payer_email, qr_code, created_at, expires_at, paid_at,
    end_to_end_id, installments, acquirer_id, next_check_at)
  SELECT id, CASE n % 10 WHEN 0 THEN $2::uuid ELSE $1::uuid END, 'sandbox', 'pedido-' || n, replace(id::text,
  '-', ''), method,
    1000 + n % 5000, 25, 975 + n % 5000, status,
    CASE WHEN n > ${rows - 500} THEN 'Rui Amaral' ELSE 'Ana Souza ' || n % 97 END, lpad((n % 977)::text, 11,
    '0'), 'pagador-' || n || '@exemplo.com.br', repeat('x', 150),
    at, at + interval '1 hour', CASE WHEN is_paid THEN at END,
    CASE WHEN is_paid AND method = 'PIX' THEN 'E' || replace(gen_random_uuid()::text, '-', '') END,
    CASE method WHEN 'CARD' THEN 1 END, CASE method WHEN 'CARD' THEN 'or_' || n END, at
  FROM (
    SELECT n, gen_random_uuid() AS id, now() - n * interval '18 minutes' AS at,
      CASE n % 11 WHEN 0 THEN 'CARD' ELSE 'PIX' END AS method,
      CASE WHEN n % 500 = 7 THEN 'DISPUTED' WHEN n % 3 = 0 AND n % 11 <> 0 THEN 'EXPIRED'
        WHEN n % 40 = 1 AND n % 11 <> 0 THEN 'PENDING' ELSE 'PAID' END AS status
    FROM generate_series(1, ${rows}) AS n) AS drawn,
    LATERAL (SELECT status IN ('PAID', 'DISPUTED') AS is_paid) AS paid`;

const PAID = `
  INSERT INTO payments (end_to_end_id, charge_id, merchant_id, environment, amount_cents, paid_at)
  SELECT end_to_end_id, id, merchant_id, environment, amount_cents, paid_at FROM charges
  WHERE end_to_end_id IS NOT NULL`;

beforeAll(async () => {
  ({ database } = await openTestDatabase(migrations, 2));
  await database.transaction(async (tx) => {
    // The triggers are off, because a single statement counts all rows afterwards.
    await tx.query('SET LOCAL session_replication_role = replica');
    await tx.query(seedOf(ROWS), [big.merchantId, other.merchantId]);
    await tx.query(PAID);
    Object.assign(paid, ...(await tx.query('SELECT charge_id AS id FROM payments LIMIT 1')));
  });
  await database.query(COUNT);
  await database.query('VACUUM ANALYZE charges, payments, charge_counts_folded');
});
afterAll(() => database.close());

const listed = (query: Partial<ChargeQuery>) =>
  planOf(database, (db) => listCharges(db, big, { page: 1, limit: 20, ...query }));

/** Returns the largest number of rows that a scan of the table or its indexes returned. */
function mostRows(plan: string): number {
  const scans = [...plan.matchAll(/Scan.* on charges.*?rows=([\d.]+)/g)];
  return Math.max(...scans.map(([, rows]) => Number(rows)));
}

describe('a merchant’s list', () => {
  test.each([
    ['all', {}],
    ['by status', { status: 'DISPUTED' as const }],
    ['by status and method', { status: 'PAID' as const, paymentMethod: 'CARD' as const }],
    [
      'of days',
      { startDate: new Date(Date.now() - 90 * 86_400_000), endDate: new Date(Date.now() - 60 * 86_400_000) },
    ],
  ])('reads charges_searched and no more rows than a page: %s', async (_what, query) => {
    const plan = await listed(query);

    expect(plan).toContain('Index Only Scan using charges_searched');
    expect(plan).toContain('charges_pkey');
    expect(plan).not.toMatch(/Seq Scan on charges /);
    expect(mostRows(plan.replace(/Aggregate[\s\S]*?\n\n/, ''))).toBeLessThanOrEqual(100);
  });

  test('has its total from charge_counts_pkey and unfolded changes', async () => {
    const plan = await planOf(database, (db) => listCharges(db, newTenant(), { page: 1, limit: 20 }));

    expect(plan).toMatch(/(using|on) charge_counts_pkey\b/);
    expect(plan).toContain('Seq Scan on charge_counts_changes');
  });

  test('reads behind a cursor as much as on its first page', async () => {
    const { next } = await listCharges(database, big, { page: 200, limit: 20 });

    const plan = await listed(next ? { after: next } : {});

    expect(plan).toContain('ROW(');
    expect(mostRows(plan)).toBeLessThanOrEqual(21);
  });

  test('filters amounts in the index alone', async () => {
    const plan = await listed({ minAmount: 5_900, maxAmount: 5_950 });

    expect(plan).toContain('Index Only Scan using charges_searched');
    expect(plan).not.toContain('Seq Scan');
  });

  test.each([
    ['charges_external_id_visit', { externalId: 'pedido-4711' }],
    ['charges_external_id_ended', { externalId: 'pedido-4711' }],
    ['charges_external_id_visit', { search: 'pedido-4711' }],
    ['charges_external_id_ended', { search: 'pedido-4711' }],
    ['charges_external_id_ended', { search: 'ido-4711' }],
    ['charges_id_tail', { search: 'abcdef01' }],
    ['charges_end_to_end_tail', { search: 'abcdef01' }],
    ['charges_txid', { search: 'pedido-4711' }],
    ['charges_end_to_end_tail', { search: 'pedido-4711' }],
    ['charges_end_to_end_tail', { endToEndId: 'E123' }],
    ['charges_payer_document', { payerDocument: '00000000042' }],
    ['charges_payer_document', { search: '000.000.000-42' }],
    ['charges_payer_email', { search: 'pagador-42@' }],
    ['charges_metadata', { metadata: { pedido: '4711' } }],
    ['charges_payment_link', { paymentLinkId: '01930a6e-4b7c-7d21-9f53-2f1c8a6d4e01' }],
  ])('uses %s for the filter %o', async (index, query) => {
    const plan = await listed(query);

    expect(plan).toMatch(new RegExp(`(using|on) ${index}\\b`));
    expect(plan).not.toContain('Seq Scan');
    expect(mostRows(plan)).toBeLessThanOrEqual(50);
  });
});

test('a new order is found by its index without statistics', async () => {
  const { database: fresh } = await openTestDatabase(migrations, 1);
  const read = `SELECT sum(pg_stat_get_xact_numscans(indexrelid)) AS scans FROM pg_index
    WHERE indrelid = 'charges'::regclass AND indexrelid <> 'charges_external_id_visit'::regclass`;

  const others = await fresh.transaction(async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    await tx.query(seedOf(20), [big.merchantId, other.merchantId]);
    for (let n = 0; n < 20; n += 1)
      await tx.query(`SELECT lock_order($1, 'sandbox', $2, NULL)`, [big.merchantId, `order-${n}`]);
    return tx.query(read);
  });
  await fresh.close();

  expect(others).toEqual([{ scans: '0' }]);
});

/** Returns the number of entries of the index that the query read. */
function entriesRead(plan: string, index: string): number {
  const scans = plan.matchAll(
    new RegExp(`Index Only Scan using ${index} on .*rows=([\\d.]+)(?:(?!Scan)[\\s\\S])*`, 'g'),
  );
  return [...scans].reduce((sum, [scan, rows]) => {
    const [, removed] = /Rows Removed by Filter: (\d+)/.exec(scan) ?? [];
    return sum + Number(rows) + Number(removed ?? 0);
  }, 0);
}

describe('a search for a part of a name', () => {
  test.each([
    ['with many matches', 'souza', 20, 21],
    ['with the oldest matches', 'amaral', 20, 21],
    ['without a match', 'nobody of this name', 0, 0],
    ['with words in another order', 'SOÚZA ana', 20, 21],
  ])('%s reads the index once for page and total', async (_what, search, shown, read) => {
    const { items, total } = await listCharges(database, big, { page: 1, limit: 20, search });
    const [ofIds, ofNames, ...more] = (await listed({ search })).split('\n\n');

    const [counted] = await database.query<{ total: number }>(
      'SELECT count(*) AS total FROM charges WHERE merchant_id = $1 AND payer_name ILIKE $2',
      [big.merchantId, `%${search.replace('SOÚZA ana', 'ana souza')}%`],
    );
    expect([items.length, total, more]).toEqual([shown, Math.min(counted?.total ?? 0, 10_000), []]);
    expect(ofIds).not.toContain('charges_searched');
    expect(ofNames).not.toMatch(/Seq Scan|SubPlan/);
    expect(entriesRead(ofNames ?? '', 'charges_searched')).toBeLessThanOrEqual(ROWS * 0.9);
    expect(
      [...(ofNames ?? '').matchAll(/charges_pkey on charges(?: \w+)? \(actual rows=\S+ loops=(\d+)/g)].length,
    ).toBe(read === 0 ? 0 : 1);
  });
});

const request = { environment: 'sandbox', now: new Date(), leaseMs: 1_000, limit: 1, except: [] } as const;
const day = { from: new Date(Date.now() - 40 * 86_400_000), to: new Date(Date.now() - 39 * 86_400_000) };

describe('the queries of services', () => {
  test.each<[string, (db: Queryable) => Promise<unknown>]>([
    ['charges_pkey', (db) => findAnyCharge(db, newTenant().merchantId)],
    ['charges_pkey', (db) => listAllCharges(db, { page: 1, limit: 20 })],
    ['payments_pkey', (db) => findChargeByEndToEnd(db, 'sandbox', 'E1')],
    ['payments_pkey', (db) => makeRefundsAndReturnsDue(db, ['E1', 'E2'])],
    ['payments_pkey', (db) => findRecordedPayments(db, 'sandbox', { providerReferences: ['E1', 'or_11'] })],
    ['payments_charge', (db) => readChargeRecords(db, paid.id)],
    ['charges_acquirer', (db) => findChargeByAcquirerId(db, 'or_11')],
    [
      'charges_external_id_visit',
      (db) =>
        findChargeByExternalId(db, {
          ...big,
          externalId: 'pedido-4712',
          checkoutId: null,
          paymentLinkId: null,
        }),
    ],
    ['charges_card_attempt', (db) => findDeclinedAttempt(db, { ...big, externalId: '1' }, Buffer.of(1))],
    ['charges_link_cards', (db) => countCards(db, newTenant().merchantId, new Date(0))],
    ['charges_txid', (db) => findChargeByTxid(db, '0'.repeat(32))],
    ['charges_sandbox_pending', (db) => expiredByClock.count(db, newTenant().merchantId, new Date())],
    ['charges_due', (db) => dueCharges.claimDue(db, request)],
    ['charges_watched', (db) => watchedAttempts.claimDue(db, request)],
    ['charges_paid_at', (db) => findRecordedPayments(db, 'sandbox', day)],
    ['charges_unknown', (db) => readUnknownOutcomes({ ...database, ...db })],
  ])('use %s', async (index, work) => {
    const plan = await planOf(database, work);

    expect(plan).toMatch(new RegExp(`(using|on) ${index}\\b`));
    expect(plan).not.toMatch(/Seq Scan on (charges c|payments) /);
  });
});

test('each index is used by a plan in this file', async () => {
  const rows = await database.query<{ name: string }>(
    "SELECT indexname AS name FROM pg_indexes WHERE tablename IN ('charges', 'payments')",
  );
  const source = await readFile(import.meta.filename, 'utf8');

  expect(rows.map(({ name }) => name).filter((name) => !source.includes(name))).toEqual([]);
});

interface Updates {
  withEntries: number;
  updated: number;
  [column: string]: unknown;
}

test('a charge gets its code without a new index entry', async () => {
  const order = { amount: 2500, externalId: 'pedido-hot', payerName: 'Ana', payerDocument: '12345678909' };
  const now = new Date();
  const planned = newCharge(order, { tenant: newTenant(), fee: 25, now, paymentMethod: 'PIX' });
  const charge = { ...planned, expiresAt: new Date(now.getTime() + 3_600_000) };
  const updates = `
    SELECT n_tup_upd - n_tup_hot_upd AS "withEntries", n_tup_upd AS updated FROM pg_stat_xact_user_tables
    WHERE relname = 'charges'`;

  const [before, after] = await database.transaction(async (tx) => {
    await insertCharge(tx, { charge, cardTokenHash: null, merchantVersion: null });
    const [counted] = await tx.query<Updates>(updates);
    await setQrCode(tx, charge, { qrCode: 'x'.repeat(200), dueAt: now });
    return [counted, (await tx.query<Updates>(updates))[0]];
  });

  expect(after).toEqual({ ...before, updated: (before?.updated ?? 0) + 1 });
});
