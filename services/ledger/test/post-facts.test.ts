import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog, type Database, migrate, openDatabase, type Transaction } from '@plataforma/chassis';
import { newId, type Tenant } from '@plataforma/kernel';
import { createTestDatabase, type TestDatabase } from '@plataforma/testing';
import { migrations } from '../migrations/index.ts';
import type { Fact } from '../src/domain/posting.ts';
import { postFacts } from '../src/operations/post-facts.ts';
import { findWallet } from '../src/store/wallets.ts';
import { brokenPromises } from './support/books.ts';
import { newTenant } from './support/identity.ts';
import { seeded } from './support/random.ts';

let home: TestDatabase;
let database: Database;
const random = seeded();

beforeAll(async () => {
  home = await createTestDatabase();
  await migrate(home.url, migrations);
  const log = createLog({ service: 'test', level: 'silent' });
  database = openDatabase({ url: home.url, poolSize: 10, log });
});
afterAll(async () => {
  await database.close();
  await home.drop();
});

function factOf(tenant: Tenant): Fact {
  return {
    ...tenant,
    kind: 'charge_paid',
    reference: newId(),
    occurredAt: '2026-11-21T12:00:00.000Z',
    method: 'PIX',
    amount: 1_000,
    fee: 10,
    externalId: 'pedido-1',
  };
}

const post = (...facts: Fact[]) => database.transaction((tx) => postFacts(tx, facts));

describe('posting facts', () => {
  test('writes a fact once, however many ask for it at once', async () => {
    const tenant = newTenant();
    const fact = factOf(tenant);

    await Promise.all(Array.from({ length: 10 }, () => post(fact, fact)));

    expect(await findWallet(database, tenant)).toMatchObject({ totalEarned: 1_000, available: { PIX: 990 } });
    expect(await brokenPromises(database)).toEqual([]);
  });

  test('loses no update of a wallet that many post to at once', async () => {
    const tenant = newTenant();

    await Promise.all(Array.from({ length: 30 }, () => post(factOf(tenant))));

    expect(await findWallet(database, tenant)).toMatchObject({ totalEarned: 30_000, totalFeesPaid: 300 });
    expect(await brokenPromises(database)).toEqual([]);
  });

  test(`never waits in a circle, not even for merchants that are new (SEED=${random.seed})`, async () => {
    for (let round = 0; round < 20; round += 1) {
      const tenants = Array.from({ length: 8 }, () => newTenant());
      const some = () => random.shuffled(tenants.filter(() => random.below(5) < 2));

      await Promise.all(Array.from({ length: 10 }, () => post(...some().map(factOf))));
    }

    expect(await brokenPromises(database)).toEqual([]);
  });

  test('keeps a statement in the order in which balances followed, whoever began first', async () => {
    const tenant = newTenant();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const early = database.transaction(async (tx: Transaction) => {
      await tx.query('SELECT 1');
      begin();
      await released;
      await postFacts(tx, [factOf(tenant)]);
    });
    await begun;

    await post(factOf(tenant));
    release();
    await early;

    expect(await brokenPromises(database)).toEqual([]);
    expect(await findWallet(database, tenant)).toMatchObject({ totalEarned: 2_000 });
  });

  test('writes nothing at all when one of the facts can’t be posted', async () => {
    const tenant = newTenant();

    const posting = post(factOf(tenant), { ...factOf(tenant), fee: 1_001 });

    await expect(posting).rejects.toThrow(RangeError);
    expect(await findWallet(database, tenant)).toMatchObject({ totalEarned: 0 });
  });
});
