import { afterEach, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { everyCategory } from '../../src/domain/statement.ts';
import { brokenPromises } from '../support/books.ts';
import { disputeOf, paid, paidByCard, refundOf, refused } from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { merchantIn } from '../support/wallet-calls.ts';
import { startWorld } from '../support/world.ts';
import { rowWith, seedRows } from './rows.ts';

const world = worldOfFile(startWorld);
const other = beforeFile(() => world.startReplica());
afterEach(async () => expect(await miscounts(world.database)).toEqual([]));

/** Returns the rows with wrong ordinals or times, and the counters that do not match their rows. */
async function miscounts(database: Database): Promise<unknown[]> {
  const misnumbered = await database.query(`
    SELECT id, ordinal FROM (
      SELECT id, ordinal, created_at, row_number() OVER wallet AS expected,
      lag(created_at) OVER wallet AS before
      FROM wallet_transactions WINDOW wallet AS (PARTITION BY merchant_id, environment
      ORDER BY ordinal)) AS numbered
    WHERE ordinal <> expected OR created_at < before`);
  const miscounted = await database.query(`
    WITH counted AS (
      SELECT merchant_id, environment, category, (created_at AT TIME ZONE 'UTC')::date AS day,
      max(ordinal) AS last,
        sum(count(*)) OVER (PARTITION BY merchant_id, environment, category
          ORDER BY (created_at AT TIME ZONE 'UTC')::date) AS total
      FROM wallet_transactions GROUP BY 1, 2, 3, 4)
    SELECT * FROM counted FULL JOIN wallet_row_counts USING (merchant_id, environment, category, day)
    WHERE (total, last) IS DISTINCT FROM (rows_until::numeric, last_ordinal)`);
  return [...misnumbered, ...miscounted];
}

const ROUNDS = 30;
const rounds = Array.from({ length: ROUNDS }, (_, number) => number);

describe('the row counts of a wallet', () => {
  test('are right after two replicas post everything at once', async () => {
    const [tenant, neighbour] = [newTenant(), newTenant()];
    const charges = rounds.map((number) => (number % 3 === 0 ? paidByCard(tenant) : paid(tenant)));
    const disputes = charges.slice(0, 10).map((charge) => disputeOf(charge, 1_000));
    const refunds = charges.slice(10).map((charge) => refundOf(charge, { amount: 100 }));

    const announcing = world.deliver(...charges, ...rounds.map(() => paid(neighbour)));
    const answers = await Promise.all(
      refunds.map((refund, number) => world.refund(refund, number % 2 === 0 ? world.first : other)),
    );
    await announcing;
    await Promise.all([
      world.deliver(...disputes.map(({ opened }) => opened), ...refunds.slice(0, 5).map(refused)),
      ...rounds.map((number) =>
        world.refund(refundOf(paid(tenant), { amount: 1 }), number % 2 === 0 ? world.first : other),
      ),
    ]);

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await brokenPromises(world.database)).toEqual([]);
  });

  test('are right after rolled back transactions', async () => {
    const tenant = await merchantIn(world);
    const insert = `
      INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
        balance_after_cents, description, payment_method)
      SELECT $1, entry_id, merchant_id, environment, type, amount_cents, balance_after_cents, description,
        payment_method FROM wallet_transactions WHERE merchant_id = $2 LIMIT 1`;

    const failed = world.database.transaction(async (tx) => {
      await tx.query(insert, [newId(), tenant.merchantId]);
      throw new Error('killed here');
    });

    await expect(failed).rejects.toThrow('killed here');
    await world.deliver(paid(tenant));
  });

  test('are right for unnumbered rows of the previous release', async () => {
    const tenant = await merchantIn(world);
    const now = new Date().toISOString();

    const rows = [rowWith({ createdAt: now }), rowWith({ createdAt: now })];
    await seedRows(world.database, tenant, rows, { areNumbered: false });
    await world.deliver(paid(tenant));

    const numbers = await world.database.query(
      'SELECT ordinal FROM wallet_transactions WHERE merchant_id = $1 ORDER BY ordinal',
      [tenant.merchantId],
    );
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6].map((ordinal) => ({ ordinal })));
  });

  test('are right across missing days and a clock set back', async () => {
    const tenant = newTenant();
    const days = ['2026-11-01', '2026-11-01', '2026-11-03', '2099-11-04', '2026-11-02'];

    await seedRows(
      world.database,
      tenant,
      days.map((day) => rowWith({ createdAt: `${day}T12:00:00.000Z` })),
      { areNumbered: false },
    );
    await world.deliver(paid(tenant));

    const [newest] = await world.database.query<{ created_at: Date }>(
      'SELECT created_at FROM wallet_transactions WHERE merchant_id = $1 ORDER BY ordinal DESC LIMIT 1',
      [tenant.merchantId],
    );
    expect(newest?.created_at).toEqual(new Date('2099-11-04T12:00:00.000Z'));
  });
});

test('the service has every category of the database', async () => {
  const [types] = await world.database.query<{ definition: string }>(
    `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conname = 'wallet_transactions_type_check'`,
  );
  const tenant = newTenant();
  const names = [...(types?.definition ?? '').matchAll(/'(\w+)'/g)].flatMap(([, name]) => name ?? []);
  const rows = names.flatMap((type) =>
    ['PIX', 'CARD', 'BOLETO', null].flatMap((paymentMethod) =>
      [1, -1].map((amount) => rowWith({ type, paymentMethod, amount, withdrawalId: newId() })),
    ),
  );

  await seedRows(world.database, tenant, rows);

  const found = await world.database.query<{ category: string }>(
    'SELECT category FROM wallet_row_counts WHERE merchant_id = $1',
    [tenant.merchantId],
  );
  expect(found.map(({ category }) => category).sort()).toEqual([...everyCategory].sort());
});
