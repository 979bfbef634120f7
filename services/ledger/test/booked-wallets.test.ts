import { describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { paid, paidByCard, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { differencesOf } from './support/tampering.ts';
import { merchantIn } from './support/wallet-calls.ts';
import { ownRoleIn, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const application = ownRoleIn(world);

const ofTenant = 'WHERE merchant_id = $1 AND environment = $2';
const keyOf = ({ merchantId, environment }: Tenant) => [merchantId, environment];

interface Forgery {
  sequence: number;
  account?: string;
  amount?: number;
}

/**
 * Inserts an entry with a sequence number into a wallet's chain, as an intruder with write access to the
 * tables could do.
 */
async function forgeEntry(tenant: Tenant, { sequence, account = 'available:PIX', amount = 500 }: Forgery) {
  const id = newId();
  await application.query(
    `INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, occurred_at, wallet_sequence,
      hash)
     VALUES ($1, 'adjustment', $1, $2, $3, now(), $4, decode(repeat('ab', 32), 'hex'))`,
    [id, ...keyOf(tenant), sequence],
  );
  await application.query('INSERT INTO journal_lines VALUES ($1, $2, $3), ($1, $4, $5)', [
    ...[id, account, amount, 'adjustments', -amount],
  ]);
}

const refused = (message: string) => ({ message, code: '42501' });
const ONLY_WITH_ENTRIES = refused('a wallet changes only with its entries');

describe('the ledger’s own database role', () => {
  test.each([
    ['give a wallet money', 'available_pix_cents = available_pix_cents + 100000000'],
    ['move money between the parts of a wallet', 'available_pix_cents = 475, blocked_pix_cents = 2000'],
    ['remove a debt', 'dispute_debt_cents = 7'],
    ['take money out', 'available_pix_cents = 0'],
    ['lengthen a chain', 'chain_sequence = chain_sequence + 1'],
    ['shorten a chain', 'chain_sequence = 0, chain_hash = NULL'],
    ['change the end of a chain', "chain_hash = decode(repeat('00', 32), 'hex')"],
  ])('can’t %s', async (_what, change) => {
    const tenant = await merchantIn(world);

    await expect(
      application.queryUnprepared(`UPDATE wallets SET ${change} ${ofTenant}`, keyOf(tenant)),
    ).rejects.toMatchObject(ONLY_WITH_ENTRIES);

    expect(await differencesOf(world, tenant)).toEqual([]);
    const order = withdrawalOf(tenant, { netAmount: 100_000, fee: 0 }).order;
    expect(await world.withdraw(order)).not.toMatchObject({ status: 200 });
  });

  test.each(['total_earned_cents', 'total_withdrawn_cents', 'total_fees_paid_cents'])(
    'can’t change %s of a wallet without an entry',
    async (total) => {
      const tenant = await merchantIn(world);

      await expect(
        application.queryUnprepared(`UPDATE wallets SET ${total} = ${total} + 1 ${ofTenant}`, keyOf(tenant)),
      ).rejects.toMatchObject(refused('the totals of a wallet change only with its entries'));
    },
  );

  test.each([
    "UPDATE receivables SET settles_at = now() - interval '1 minute' WHERE charge_id = $1",
    'UPDATE receivables SET amount_cents = amount_cents + 1 WHERE charge_id = $1',
    'DELETE FROM receivables WHERE charge_id = $1',
  ])('can’t change or delete a receivable: %s', async (forgery) => {
    const tenant = newTenant();
    const card = paidByCard(tenant);
    await world.deliver(card);

    await expect(application.queryUnprepared(forgery, [card.data.id])).rejects.toMatchObject(
      refused('a receivable keeps its merchant, amount and day'),
    );
  });

  test('can’t credit a wallet with another amount than its entry', async () => {
    const tenant = await merchantIn(world);
    await forgeEntry(tenant, { sequence: 2, amount: 500 });
    const change = (amount: number, hash: string) =>
      application.queryUnprepared(
        `UPDATE wallets SET available_pix_cents = available_pix_cents + ${amount}, chain_sequence = 2,
           chain_hash = decode(repeat('${hash}', 32), 'hex') ${ofTenant}`,
        keyOf(tenant),
      );

    await expect(change(501, 'ab')).rejects.toMatchObject(ONLY_WITH_ENTRIES);
    await expect(change(500, 'cd')).rejects.toMatchObject(ONLY_WITH_ENTRIES);
  });

  test('can’t book the entry of one wallet to another', async () => {
    const [one, other] = [await merchantIn(world), await merchantIn(world)];
    await forgeEntry(one, { sequence: 2 });

    await expect(
      application.queryUnprepared(
        `UPDATE wallets SET
           available_pix_cents = available_pix_cents + CASE merchant_id WHEN $2::uuid THEN 500 ELSE 0 END,
           chain_sequence = chain_sequence + CASE merchant_id WHEN $1::uuid THEN 1 ELSE 0 END
         WHERE merchant_id IN ($1, $2)`,
        [one.merchantId, other.merchantId],
      ),
    ).rejects.toMatchObject(ONLY_WITH_ENTRIES);
  });

  test('can’t replace the checked entries by temporary tables', async () => {
    const tenant = await merchantIn(world);
    await application
      .transaction(async (tx) => {
        await tx.queryUnprepared('SAVEPOINT shadow', []);
        const shadows = ['journal_entries', 'journal_lines'].map(
          (table) => `CREATE TEMP TABLE ${table} (LIKE public.${table})`,
        );
        try {
          for (const shadow of shadows) await tx.queryUnprepared(shadow, []);
        } catch {
          // A role that may not create temporary tables cannot replace the real tables with temporary tables.
          await tx.queryUnprepared('ROLLBACK TO SAVEPOINT shadow', []);
          return;
        }
        await tx.queryUnprepared(
          `INSERT INTO pg_temp.journal_entries (id, kind, reference, merchant_id, environment, occurred_at,
            created_at,
           wallet_sequence, hash, is_before_chain)
         SELECT gen_random_uuid(), 'adjustment', gen_random_uuid(), $1, $2, now(), now(), 2, '', false`,
          keyOf(tenant),
        );
        await tx.queryUnprepared(
          `INSERT INTO pg_temp.journal_lines SELECT id, 'available:PIX', 500 FROM pg_temp.journal_entries`,
          [],
        );
        await expect(
          tx.queryUnprepared(
            `UPDATE wallets SET available_pix_cents = available_pix_cents + 500, chain_sequence = 2,
              chain_hash = '' ${ofTenant}`,
            keyOf(tenant),
          ),
        ).rejects.toMatchObject(ONLY_WITH_ENTRIES);
        throw new Error('rolled back');
      })
      .catch((error) => expect(error).toMatchObject({ message: 'rolled back' }));
  });

  test('can’t open a funded wallet, reassign one or delete one', async () => {
    const tenant = await merchantIn(world);
    const opened = application.query(
      `INSERT INTO wallets (merchant_id, environment, available_pix_cents) VALUES ($1, 'sandbox', 1)`,
      [newId()],
    );
    await expect(opened).rejects.toMatchObject(refused('a wallet begins empty'));
    await expect(
      application.queryUnprepared(`UPDATE wallets SET merchant_id = '${newId()}' ${ofTenant}`, keyOf(tenant)),
    ).rejects.toMatchObject(refused("a wallet stays its merchant's"));
    await expect(
      application.queryUnprepared(`DELETE FROM wallets ${ofTenant}`, keyOf(tenant)),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

test('without table statistics a wallet update reads no older entries', async () => {
  const [tenant, other] = [newTenant(), newTenant()];
  await world.deliver(...Array.from({ length: 100 }, () => [paid(tenant), paid(other)]).flat());

  const read = await application.transaction(async (tx) => {
    await tx.queryUnprepared(`UPDATE wallets SET changes = changes ${ofTenant}`, keyOf(tenant));
    return tx.queryUnprepared<{ entries: number }>(
      `SELECT idx_tup_fetch + seq_tup_read AS entries FROM pg_stat_xact_user_tables
        WHERE relname = 'journal_entries'`,
      [],
    );
  });

  expect(read).toEqual([{ entries: 0 }]);
});
