import { expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { linkOf } from '../src/domain/chain.ts';
import type { ChainEnd } from '../src/domain/wallet.ts';
import { findChained } from '../src/store/chains.ts';
import { journalChain } from '../src/store/journal-heads.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { lengthOf, tamper, verify } from './support/tampering.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const [first, second] = [newTenant(), newTenant()];

const makeHead = () => world.database.transaction((tx) => journalChain.head(tx));
const follow = (after?: string) => journalChain.verify(world.database, { after, limit: 10 });
const isBehind = () => journalChain.isBehind?.(world.database);
const walletsOfHeads = () =>
  world.database.query(
    `SELECT head_sequence AS head, merchant_id AS "merchantId", wallet_sequence AS sequence
      FROM journal_head_wallets
    ORDER BY head_sequence, merchant_id = $1 DESC`,
    [first.merchantId],
  );

/**
 * Changes the wallet's first entry, and recomputes the hashes of all entries of the wallet so that its hash
 * chain is valid.
 */
async function rewrite(tenant: Tenant): Promise<void> {
  const { merchantId, environment } = tenant;
  const until = await lengthOf(world, tenant);
  let end: ChainEnd = { sequence: 0, hash: null };
  for (const entry of await findChained(world.database, tenant, { after: 0, until, limit: until })) {
    const said = entry.link.sequence === 1 ? { ...entry, reference: newId() } : entry;
    const { sequence, hash, previousHash } = linkOf(said, end);
    await tamper(
      world,
      `UPDATE journal_entries SET reference = $2, hash = decode($3, 'hex'), previous_hash = decode($4, 'hex')
      WHERE id = $1`,
      [entry.id, said.reference, hash, previousHash],
    );
    end = { sequence: sequence ?? 0, hash };
  }
  await tamper(
    world,
    `UPDATE wallets SET chain_hash = decode($3, 'hex') WHERE merchant_id = $1 AND environment = $2`,
    [merchantId, environment, end.hash],
  );
}

test('a head covers only wallets changed since the last head', async () => {
  expect(await makeHead()).toBeNull();
  await world.deliver(paid(first), paid(second));
  expect(await isBehind()).toBe(true);
  expect(await makeHead()).toMatchObject({ sequence: 1 });
  expect(await isBehind()).toBe(false);
  const one = await makeHead();
  await world.deliver(paid(first));
  expect(one).toMatchObject({ sequence: 1 });
  expect(await makeHead()).toMatchObject({ sequence: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });

  expect(await walletsOfHeads()).toEqual([
    { head: 1, merchantId: first.merchantId, sequence: 1 },
    { head: 1, merchantId: second.merchantId, sequence: 1 },
    { head: 2, merchantId: first.merchantId, sequence: 2 },
  ]);
  expect(await follow()).toMatchObject({ isIntact: true, rows: 2, next: null });
  expect(await follow(`1:${one?.hash}`)).toMatchObject({ isIntact: true, rows: 1 });
});

test('a rewritten wallet lacks its orders, and no longer matches its heads', async () => {
  await rewrite(first);

  expect(await verify(world, { ...first })).toMatchObject({
    ...{ entries: 2, differences: [{ what: expect.stringContaining('charge_paid without an order') }] },
  });
  expect(await follow()).toMatchObject({ isIntact: false, firstBrokenSequence: 1 });
});

test('recreated heads differ from the original heads', async () => {
  const before = await journalChain.headsAt(world.database, [1, 2]);
  await tamper(world, 'DELETE FROM journal_head_wallets', []);
  await tamper(world, 'DELETE FROM journal_heads', []);

  const anew = await makeHead();

  expect(await follow()).toMatchObject({ isIntact: true, rows: 1 });
  expect(before.map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(await journalChain.headsAt(world.database, [1, 2])).toEqual([anew]);
  expect(anew?.hash).not.toBe(before[0]?.hash);
});

test('the ledger’s own role can’t change or delete a head', async () => {
  for (const table of ['journal_heads', 'journal_head_wallets'])
    for (const change of [`UPDATE ${table} SET merchant_id = merchant_id`, `DELETE FROM ${table}`])
      await expect(
        world.database.queryUnprepared(
          change.replace(/merchant_id/g, table === 'journal_heads' ? 'hash' : 'merchant_id'),
          [],
        ),
      ).rejects.toMatchObject({ code: '42501' });
});
