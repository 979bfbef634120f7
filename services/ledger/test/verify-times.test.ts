import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { verifySnapshots } from '../src/store/verify-snapshots.ts';
import { paid } from './support/emitter.ts';
import { differencesOf, entryAt, eventful, HASH, tamper } from './support/tampering.ts';
import { merchantIn } from './support/wallet-calls.ts';
import { sharedSeededWorld } from './support/world.ts';

const world = worldOfFile(sharedSeededWorld);

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

async function fresh() {
  const tenant = await merchantIn(world);
  await world.deliver(paid(tenant));
  return { tenant, entry: await entryAt(world, tenant, 1) };
}

describe('verification of times and counts', () => {
  test('finds a changed time of an entry', async () => {
    const { tenant, entry } = await fresh();
    await tamper(
      world,
      `UPDATE journal_entries SET created_at = created_at - interval '1 microsecond' WHERE id = $1`,
      [entry],
    );

    expect(await differencesOf(world, tenant)).toContainEqual([`entry 1 (${entry})`, HASH, HASH]);
  });

  test('finds a changed time of a row', async () => {
    const { tenant, entry } = await fresh();
    await tamper(
      world,
      `UPDATE wallet_transactions SET created_at = created_at - interval '40 days'
       WHERE entry_id = $1 AND type = 'FEE'`,
      [entry],
    );

    const found = await differencesOf(world, tenant);

    expect(found).toContainEqual([expect.stringMatching(/^time of row /), TIME, TIME]);
    expect(found).toContainEqual([expect.stringMatching(/^rows of FEE:PIX:out until /), 0, 1]);
  });

  test('finds swapped row numbers and a wrong last number', async () => {
    const { tenant, entry } = await fresh();
    for (const [from, to] of [
      [1, 900],
      [2, 1],
      [900, 2],
    ]) {
      await tamper(
        world,
        'UPDATE wallet_transactions SET ordinal = $2 WHERE merchant_id = $1 AND ordinal = $3',
        [tenant.merchantId, to, from],
      );
    }

    expect(await differencesOf(world, tenant)).toContainEqual([`entry 1 (${entry})`, HASH, HASH]);

    await tamper(world, 'UPDATE wallet_transactions SET ordinal = 9 WHERE merchant_id = $1 AND ordinal = 4', [
      tenant.merchantId,
    ]);
    expect(await differencesOf(world, tenant)).toContainEqual(['number of the last row', 9, 4]);
  });

  test('finds rows of another wallet under an entry, even balanced', async () => {
    const [{ tenant, entry }, { tenant: other }] = [await fresh(), await fresh()];
    const [one, two] = [newId(), newId()];
    await tamper(
      world,
      `INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
         balance_after_cents, description, ordinal)
       SELECT id, $1, $2, 'sandbox', 'DEBIT', amount, 1, 'forged', place
       FROM (VALUES ($3::uuid, 500, 5), ($4::uuid, -500, 6)) AS row (id, amount, place)`,
      [entry, other.merchantId, one, two],
    );

    const [owner, victim] = [await differencesOf(world, tenant), await differencesOf(world, other)];

    for (const id of [one, two]) {
      expect(owner).toContainEqual([`row of another wallet under entry (${entry})`, id, null]);
      expect(victim).toContainEqual([`row ${id}, of no entry here`, id, null]);
    }
  });

  test('finds wrong, missing or misplaced row counts', async () => {
    const changes = [
      ['UPDATE wallet_row_counts SET rows_until = 1', 'rows', 1, 2],
      ['UPDATE wallet_row_counts SET last_ordinal = 900', 'last row', 900, expect.any(Number)],
      ['DELETE FROM wallet_row_counts', 'rows', 0, 2],
      [`UPDATE wallet_row_counts SET category = 'DEBIT::out'`, 'rows', 0, 2],
    ] as const;
    for (const [change, what, recorded, computed] of changes) {
      const { tenant } = await fresh();
      await tamper(world, `${change} WHERE merchant_id = $1 AND category = 'FEE:PIX:out'`, [
        tenant.merchantId,
      ]);

      const found = await differencesOf(world, tenant);

      const name = expect.stringMatching(new RegExp(`^${what} of FEE:PIX:out until `));
      expect(found).toContainEqual([name, recorded, computed]);
    }
  });

  test('finds a changed time of a wallet', async () => {
    const { tenant } = await fresh();
    await tamper(
      world,
      `UPDATE wallets SET changed_at = changed_at + interval '1 second' WHERE merchant_id = $1`,
      [tenant.merchantId],
    );

    expect(await differencesOf(world, tenant)).toEqual([['time of the last change', TIME, TIME]]);
  });

  const amount = expect.any(Number);
  test.each([
    ['of another amount', `wallet = wallet || '{"available_pix_cents": 1}'`, 'available:PIX', amount],
    ['of another total', `wallet = wallet || '{"total_earned_cents": 1}'`, 'total earned', amount],
    ['of another time', `changed_at = changed_at - interval '1 microsecond'`, 'available:PIX', amount],
    ['without an amount', `wallet = wallet - 'available_pix_cents'`, 'available_pix_cents', null],
  ])('finds a snapshot %s from any starting position', async (_what, change, name, cents) => {
    const { tenant } = await eventful(world);
    for (let round = 0; round < 3; round += 1) {
      await tamper(world, 'UPDATE wallets SET changes = 199 WHERE merchant_id = $1', [tenant.merchantId]);
      await world.deliver(paid(tenant));
    }
    expect(await differencesOf(world, tenant)).toEqual([]);
    const [snapshot] = await world.database.query<{ changed_at: string }>(
      'SELECT changed_at::text FROM wallet_snapshots WHERE merchant_id = $1 ORDER BY changed_at OFFSET 1',
      [tenant.merchantId],
    );

    await tamper(
      world,
      `UPDATE wallet_snapshots SET ${change} WHERE merchant_id = $1 AND changed_at = $2::timestamptz`,
      [tenant.merchantId, snapshot?.changed_at],
    );

    const found = await differencesOf(world, tenant);
    expect(found).toContainEqual([expect.stringMatching(new RegExp(`^${name} as kept at `)), cents, cents]);
    // A later verification starts from the changed snapshot and finds a difference in the next one. If the
    // changed snapshot lacks an amount, the verification sums all earlier entries and finds none.
    const later = { after: `${snapshot?.changed_at}`, until: 'infinity' };
    const behind = await verifySnapshots(world.database, tenant, later);
    expect(behind.some(({ what }) => what.startsWith(`${name} as kept at `))).toBe(cents !== null);
  });
});

test('entries get later times even after the clock goes back', async () => {
  const tenant = await merchantIn(world);
  await tamper(
    world,
    `UPDATE wallets SET changed_at = clock_timestamp() + interval '1 hour' WHERE merchant_id = $1`,
    [tenant.merchantId],
  );
  for (let round = 0; round < 3; round += 1) await world.deliver(paid(tenant));

  const entries = await world.database.query<{ in_order: boolean; is_of_wallet: boolean }>(
    `SELECT e.created_at > lag(e.created_at) OVER (ORDER BY wallet_sequence) AS in_order,
       e.created_at = w.changed_at AS is_of_wallet
     FROM journal_entries e JOIN wallets w USING (merchant_id, environment)
     WHERE merchant_id = $1 ORDER BY wallet_sequence`,
    [tenant.merchantId],
  );

  expect(entries.map(({ in_order }) => in_order)).toEqual([null, true, true, true]);
  expect(entries.at(-1)).toMatchObject({ is_of_wallet: true });
  expect(await differencesOf(world, tenant)).toEqual([]);
});
