import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { newId, type Tenant } from '@plataforma/kernel';
import { openAt, openTestDatabase } from '@plataforma/testing/world';
import { migrations } from '../migrations/index.ts';
import { paid, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { differencesOf, HASH, lengthOf, tamper } from './support/tampering.ts';
import { merchantIn } from './support/wallet-calls.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;
let application: Database;
const old = newTenant();

const CHECKS = 'journal_entries_vouched CHECK (hash IS NOT NULL AND NOT is_before_chain) NOT VALID';

/**
 * Removes a merchant's entries from the chain, so that they look like entries of releases without hashes.
 * Adds the constraint again as NOT VALID, because these entries violate it.
 */
async function takeOutOfChain({ merchantId }: Tenant): Promise<void> {
  await world.database.query('ALTER TABLE journal_entries DROP CONSTRAINT journal_entries_vouched');
  await tamper(
    world,
    `UPDATE journal_entries SET wallet_sequence = NULL, previous_hash = NULL, hash = NULL,
      is_before_chain = true
     WHERE merchant_id = $1`,
    [merchantId],
  );
  await tamper(world, 'UPDATE wallets SET chain_sequence = 0, chain_hash = NULL WHERE merchant_id = $1', [
    merchantId,
  ]);
  await world.database.queryUnprepared(`ALTER TABLE journal_entries ADD CONSTRAINT ${CHECKS}`, []);
}

beforeAll(async () => {
  const { url, env, database } = await openTestDatabase(migrations);
  await database.close();
  world = await startWorld({ databaseUrl: url });
  application = openAt(env.DATABASE_URL, 1);
  await world.deliver(paid(old), paid(old));
  await takeOutOfChain(old);
});
afterAll(async () => {
  await application.close();
  await world.stop();
});

const MILLION = 1_000_000;

/**
 * Forges a payment of a million cents. Writes entry, lines and row with the ledger's own role, and the wallet
 * with a role that can disable triggers.
 */
async function forge(tenant: Tenant, link: Record<string, unknown> = {}): Promise<string> {
  const id = newId();
  const { merchantId, environment } = tenant;
  const owner = [merchantId, environment];
  const columns = Object.keys(link).map((column) => `, ${column}`);
  await application.transaction(async (tx) => {
    await tx.queryUnprepared(
      `INSERT INTO journal_entries (id, kind, reference, merchant_id, environment,
        occurred_at ${columns.join('')})
       VALUES ($1, 'adjustment', $1, $2, $3, '2026-11-21T12:00:00Z'
        ${columns.map((_, n) => `, $${n + 4}`).join('')})`,
      [id, ...owner, ...Object.values(link)],
    );
    await tx.query(
      `INSERT INTO journal_lines VALUES ($1, 'available:PIX', ${MILLION}), ($1, 'adjustments', -${MILLION})`,
      [id],
    );
    await tx.query(
      `INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
         balance_after_cents, description)
       SELECT $1, $1, merchant_id, environment, 'CREDIT', ${MILLION}, available_pix_cents + ${MILLION},
       'forged'
       FROM wallets WHERE merchant_id = $2 AND environment = $3`,
      [id, ...owner],
    );
  });
  await tamper(
    world,
    `UPDATE wallets SET available_pix_cents = available_pix_cents + ${MILLION}
     WHERE merchant_id = $1 AND environment = $2`,
    owner,
  );
  return id;
}

describe('entries from before the chain', () => {
  test('have no difference, and the chain begins after them', async () => {
    const tenant = newTenant();
    expect(await differencesOf(world, old)).toEqual([]);

    await world.deliver(paid(old), paid(tenant));

    expect([await lengthOf(world, old), await lengthOf(world, tenant)]).toEqual([1, 1]);
    expect(await differencesOf(world, old)).toEqual([]);
    expect(await world.balanceOf(old)).toMatchObject({ availableBalance: 3 * 2_475 });
  });

  test('are still added up by verification', async () => {
    const [row] = await world.database.query<{ id: string }>(
      'SELECT id FROM journal_entries WHERE merchant_id = $1 AND is_before_chain ORDER BY id LIMIT 1',
      [old.merchantId],
    );
    const change = async (amount: number) =>
      tamper(
        world,
        `UPDATE journal_lines SET amount_cents = $2 WHERE entry_id = $1 AND account = 'available:PIX'`,
        [row?.id, amount],
      );
    const before = (await world.balanceOf(old)).availableBalance;
    await change(2_474);

    const found = await differencesOf(world, old);

    await change(2_475);
    expect(found).toContainEqual(['available:PIX', before, before - 1]);
    expect(found).toContainEqual([`lines of entry ${row?.id}`, -1, 0]);
  });
});

describe.each([
  ['with hashed entries only', () => newTenant()],
  ['with entries older than the chain', () => old],
])('an entry forged by the ledger’s role in a wallet, %s,', (_which, tenantOf) => {
  test.each([
    ['without a hash', { hash: null }],
    ['as older than the chain', { hash: null, is_before_chain: true }],
    ['as older than the chain, with a hash', { is_before_chain: true }],
  ])('%s is refused', async (_how, link) => {
    const tenant = tenantOf();
    await world.deliver(paid(tenant));

    await expect(forge(tenant, link)).rejects.toMatchObject({ constraint: 'journal_entries_vouched' });
    expect(await differencesOf(world, tenant)).toEqual([]);
  });
});

describe('verification of forged entries', () => {
  test('finds an entry with an empty hash, also after withdrawals', async () => {
    const tenant = await merchantIn(world);

    const id = await forge(tenant);

    expect(await differencesOf(world, tenant)).toContainEqual([`entry (${id})`, '', HASH]);
    const withdrawal = withdrawalOf(tenant, { netAmount: 900_000 });
    expect(await world.withdraw(withdrawal.order)).toMatchObject({ status: 200 });
    expect(await differencesOf(world, tenant)).toContainEqual([`entry (${id})`, '', HASH]);
  });

  test('finds an entry with a right hash in no chain', async () => {
    const tenant = await merchantIn(world);
    const id = await forge(tenant);
    const own = (await differencesOf(world, tenant)).find(([what]) => what === `entry (${id})`);

    await tamper(world, `UPDATE journal_entries SET hash = decode($2, 'hex') WHERE id = $1`, [id, own?.[2]]);

    const found = await differencesOf(world, tenant);
    expect(found).toContainEqual([`entry (${id}), which is in no chain`, own?.[2], null]);
  });

  test('finds an entry without a hash after a dropped constraint', async () => {
    const tenant = await merchantIn(world);
    await world.database.query('ALTER TABLE journal_entries DROP CONSTRAINT journal_entries_vouched');

    const id = await forge(tenant, { hash: null });

    await world.database.queryUnprepared(`ALTER TABLE journal_entries ADD CONSTRAINT ${CHECKS}`, []);
    expect(await differencesOf(world, tenant)).toContainEqual([`entry (${id})`, null, HASH]);
  });
});
