import { describe, expect, test } from '@jest/globals';
import { PLATFORM_ID } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { paid, unmatchedOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { differencesOf, entryAt, eventful, HASH, takeOut, tamper, verify } from './support/tampering.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

describe('the hash chain', () => {
  async function third() {
    const { tenant } = await eventful(world);
    return { tenant, entry: await entryAt(world, tenant, 3) };
  }

  const ofEntry = 'WHERE entry_id = $1';
  test.each([
    [
      'changed line amounts in an entry that adds up to zero',
      `UPDATE journal_lines SET amount_cents = amount_cents + CASE WHEN amount_cents < 0 THEN -1 ELSE 1 END
       ${ofEntry} AND account IN ('fees', 'clearing:PIX')`,
    ],
    ['a deleted row', `DELETE FROM wallet_transactions ${ofEntry}`],
    ...Object.entries({
      amount: 'amount_cents = amount_cents + 1',
      balance: 'balance_after_cents = balance_after_cents + 1',
      description: `description = 'something else'`,
      charge: 'charge_id = gen_random_uuid()',
      withdrawal: 'withdrawal_id = gen_random_uuid()',
      type: `type = 'DEBIT'`,
      merchant: 'merchant_id = gen_random_uuid()',
    }).map(([what, change]) => [
      `a row with a changed ${what}`,
      `UPDATE wallet_transactions SET ${change} ${ofEntry}`,
    ]),
    ...Object.entries({
      kind: `kind = 'adjustment'`,
      reference: 'reference = gen_random_uuid()',
      charge: 'charge_id = gen_random_uuid()',
      time: `occurred_at = occurred_at + interval '1 second'`,
      reason: `memo = 'another'`,
    }).map(([what, change]) => [
      `an entry with a changed ${what}`,
      `UPDATE journal_entries SET ${change} WHERE id = $1`,
    ]),
  ])('shows %s', async (_what, change = '') => {
    const { tenant, entry } = await third();
    await tamper(world, change, [entry]);

    expect(await differencesOf(world, tenant)).toContainEqual([`entry 3 (${entry})`, HASH, HASH]);
  });

  test.each([
    ['added lines', `INSERT INTO journal_lines VALUES ($1, 'suspense', -1), ($1, 'payouts', 1)`],
    [
      'money moved to another account',
      `UPDATE journal_lines SET account = 'payouts' ${ofEntry} AND account = 'fees'`,
    ],
  ])('shows %s and nothing else', async (_what, change) => {
    const { tenant, entry } = await third();
    await tamper(world, change, [entry]);

    expect(await differencesOf(world, tenant)).toEqual([[`entry 3 (${entry})`, HASH, HASH]]);
  });

  test('shows a changed and rehashed entry by the next entry', async () => {
    const { tenant, entry } = await third();
    await tamper(world, `UPDATE journal_entries SET memo = 'another' WHERE id = $1`, [entry]);
    const [[, , computed] = []] = await differencesOf(world, tenant);
    await tamper(world, `UPDATE journal_entries SET hash = decode($2, 'hex') WHERE id = $1`, [
      entry,
      computed,
    ]);

    expect(await differencesOf(world, tenant)).toEqual([
      ['link of entry 4', HASH, computed],
      [expect.stringMatching(`^\\w+ without an order \\(${entry}\\)$`), 1, 0],
    ]);
  });

  test('shows an entry removed from the middle', async () => {
    const { tenant, entry } = await third();
    await takeOut(world, entry);

    expect(await differencesOf(world, tenant)).toContainEqual(['entry 3 of the chain', null, HASH]);
  });

  test('shows a removed last entry despite adjusted wallet amounts', async () => {
    const tenant = newTenant();
    await world.deliver(paid(tenant));
    const before = await world.database.query(
      `SELECT available_pix_cents AS a, total_earned_cents AS b, total_fees_paid_cents AS c
       FROM wallets WHERE merchant_id = $1`,
      [tenant.merchantId],
    );
    await world.deliver(paid(tenant));
    const entry = await entryAt(world, tenant, 2);
    await takeOut(world, entry);
    await tamper(
      world,
      `UPDATE wallets SET available_pix_cents = $2, total_earned_cents = $3, total_fees_paid_cents = $4
       WHERE merchant_id = $1`,
      [tenant.merchantId, before[0]?.a, before[0]?.b, before[0]?.c],
    );

    const found = await differencesOf(world, tenant);
    expect(found).toContainEqual(['length of the chain', 2, 1]);
    expect(found).toContainEqual(['end of the chain', HASH, HASH]);
  });

  test('shows two swapped entries', async () => {
    const { tenant } = await eventful(world);
    const [two, three] = [await entryAt(world, tenant, 2), await entryAt(world, tenant, 3)];
    await tamper(world, 'UPDATE journal_entries SET wallet_sequence = 1000 WHERE id = $1', [two]);
    await tamper(world, 'UPDATE journal_entries SET wallet_sequence = 2 WHERE id = $1', [three]);
    await tamper(world, 'UPDATE journal_entries SET wallet_sequence = 3 WHERE id = $1', [two]);

    const found = await differencesOf(world, tenant);

    expect(found).toContainEqual([`entry 2 (${three})`, HASH, HASH]);
    expect(found).toContainEqual([`entry 3 (${two})`, HASH, HASH]);
    expect(found).toContainEqual(['link of entry 2', HASH, HASH]);
  });

  test('shows a changed unmatched payment of any owner', async () => {
    for (const tenant of [newTenant(), { merchantId: PLATFORM_ID, environment: 'sandbox' as const }]) {
      const { id, received, returned } = unmatchedOf(tenant);
      await world.deliver(received, returned);
      const [row] = await world.database.query<{ id: string; sequence: number | null; previous: unknown }>(
        `SELECT id, wallet_sequence AS sequence, previous_hash AS previous FROM journal_entries
         WHERE reference = $1 AND kind = 'unexpected_payment_received'`,
        [id],
      );
      expect(row).toMatchObject({ sequence: null, previous: null });
      expect(
        (await verify(world, { environment: 'sandbox', limit: '100000' })).differences,
      ).not.toContainEqual(expect.objectContaining({ what: `entry (${row?.id})` }));

      await tamper(world, 'UPDATE journal_lines SET amount_cents = amount_cents * 2 WHERE entry_id = $1', [
        row?.id,
      ]);

      expect((await verify(world, { environment: 'sandbox', limit: '100000' })).differences).toContainEqual({
        ...tenant,
        what: `entry (${row?.id})`,
        recorded: HASH,
        computed: HASH,
      });
    }
  });
});
