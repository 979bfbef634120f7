import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { databaseOfFile } from '@plataforma/testing/world';
import { migrations } from '../migrations/index.ts';
import { newTenant } from './support/identity.ts';

const database = databaseOfFile(migrations);
const tenant = newTenant();
const entry = newId();

beforeAll(async () => {
  await addEntry(entry);
  await addLines(entry, { 'clearing:PIX': -100, 'available:PIX': 99, fees: 1 });
  await database.query(
    `INSERT INTO wallet_transactions
       (id, entry_id, merchant_id, environment, type, amount_cents, balance_after_cents, description,
       payment_method)
     VALUES ($1, $2, $3, $4, 'CREDIT', 100, 100, 'test', 'PIX')`,
    [newId(), entry, tenant.merchantId, tenant.environment],
  );
  await database.query('INSERT INTO wallets (merchant_id, environment) VALUES ($1, $2)', [
    tenant.merchantId,
    tenant.environment,
  ]);
});

function addEntry(id: string, reference = newId()) {
  return database.query(
    `INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, occurred_at)
     VALUES ($1, 'charge_paid', $2, $3, $4, now())`,
    [id, reference, tenant.merchantId, tenant.environment],
  );
}

function addLines(entryId: string, lines: Record<string, number>) {
  return database.query(
    'INSERT INTO journal_lines (entry_id, account, amount_cents) SELECT $1, * FROM unnest($2::text[], $3::bigint[])',
    [entryId, Object.keys(lines), Object.values(lines)],
  );
}

const CHECK = '23514';
const UNIQUE = '23505';
const PRIVILEGE = '42501';

describe('the database', () => {
  test.each([
    ['lines that do not add up to zero', { 'clearing:PIX': -100, 'available:PIX': 99 }],
    ['a single line', { 'available:PIX': 1 }],
    ['a line of zero', { 'available:PIX': 0 }],
  ])('refuses %s', async (_what, lines) => {
    const id = newId();
    await addEntry(id);

    await expect(addLines(id, lines)).rejects.toMatchObject({ code: CHECK });
  });

  test('refuses two unbalanced entries that balance each other', async () => {
    const [one, two] = [newId(), newId()];
    await Promise.all([addEntry(one), addEntry(two)]);

    const lines = database.query(
      `INSERT INTO journal_lines (entry_id, account, amount_cents)
       VALUES ($1, 'available:PIX', 100), ($2, 'clearing:PIX', -100)`,
      [one, two],
    );

    await expect(lines).rejects.toMatchObject({ code: CHECK });
  });

  test('refuses a second entry of the same fact', async () => {
    const reference = newId();
    await addEntry(newId(), reference);

    await expect(addEntry(newId(), reference)).rejects.toMatchObject({
      code: UNIQUE,
      constraint: 'journal_entries_fact',
    });
  });

  test.each(['journal_entries', 'journal_lines', 'wallet_transactions'])(
    'refuses to change %s',
    async (table) => {
      const column = table === 'journal_entries' ? 'kind = kind' : 'amount_cents = amount_cents + 1';

      const changes = [
        `UPDATE ${table} SET ${column}`,
        `UPDATE ${table} SET ${column} WHERE false`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table} CASCADE`,
      ].map((statement) => database.queryUnprepared(statement, []));

      for (const change of await Promise.allSettled(changes)) {
        expect(change).toMatchObject({ status: 'rejected', reason: { code: PRIVILEGE } });
      }
    },
  );

  test('refuses a wallet with a negative amount, debt or total', async () => {
    const columns = await database.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_name = 'wallets' AND column_name LIKE '%_cents'`,
    );

    const changes = columns.map(({ name }) =>
      database.queryUnprepared(`UPDATE wallets SET ${name} = -1`, []),
    );

    expect(columns).toHaveLength(17);
    for (const change of await Promise.allSettled(changes)) {
      expect(change).toMatchObject({ status: 'rejected', reason: { code: CHECK } });
    }
  });

  test('refuses an unknown environment, type or payment method', async () => {
    const row = (environment: string, type: string, method: string) =>
      database.query(
        `INSERT INTO wallet_transactions
           (id, entry_id, merchant_id, environment, type, amount_cents, balance_after_cents, description,
           payment_method)
         VALUES ($1, $2, $3, $4, $5, 1, 1, 'test', $6)`,
        [newId(), entry, tenant.merchantId, environment, type, method],
      );

    const rows = [
      row('staging', 'CREDIT', 'PIX'),
      row('sandbox', 'GIFT', 'PIX'),
      row('sandbox', 'CREDIT', 'CASH'),
    ];

    for (const one of await Promise.allSettled(rows)) {
      expect(one).toMatchObject({ status: 'rejected', reason: { code: CHECK } });
    }
  });
});
