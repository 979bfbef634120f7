import { describe, expect, test } from '@jest/globals';
import type { Transaction } from '@plataforma/data';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { databaseOfFile } from '@plataforma/testing/world';
import { migrations } from '../migrations/index.ts';
import type { FactOf } from '../src/domain/fact.ts';
import { postFacts } from '../src/store/post-facts.ts';
import { findWallet, lockWallets } from '../src/store/wallets.ts';
import { brokenPromises } from './support/books.ts';
import { newTenant } from './support/identity.ts';

const database = databaseOfFile(migrations, 10);

function factOf(tenant: Tenant): FactOf<'charge_paid'> {
  return {
    ...tenant,
    kind: 'charge_paid',
    reference: newId(),
    occurredAt: '2026-11-21T12:00:00.000Z',
    orderedBy: 'service:charges',
    method: 'PIX',
    amount: 1_000,
    fee: 10,
    externalId: 'pedido-1',
    settlesAt: null,
  };
}

const post = (...facts: FactOf<'charge_paid'>[]) =>
  database.transaction((tx) =>
    postFacts(
      tx,
      facts.map((fact) => [fact]),
    ),
  );

const WAITING = `
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('posting facts', () => {
  test('locks no wallet while it waits for a new one', async () => {
    const [existing, fresh] = [newTenant(), newTenant()];
    await post(factOf(existing));
    const { promise: blocked, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: created, resolve: create } = Promise.withResolvers<void>();
    const creator = database.transaction(async (tx) => {
      await lockWallets(tx, [fresh]);
      create();
      await blocked;
      await lockWallets(tx, [existing]);
    });
    await created;

    const waiter = post(factOf(existing), factOf(fresh));
    await eventually(async () => {
      expect(await database.query(WAITING)).toHaveLength(1);
    });
    goOn();

    await Promise.all([creator, waiter]);
    expect(await findWallet(database, existing)).toMatchObject({ totalEarned: 2_000 });
    expect(await brokenPromises(database)).toEqual([]);
  });

  test('orders a statement by balance, not by transaction start', async () => {
    const tenant = newTenant();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const early = database.transaction(async (tx: Transaction) => {
      await tx.query('SELECT 1');
      begin();
      await released;
      await postFacts(tx, [[factOf(tenant)]]);
    });
    await begun;

    await post(factOf(tenant));
    release();
    await early;

    expect(await brokenPromises(database)).toEqual([]);
    expect(await findWallet(database, tenant)).toMatchObject({ totalEarned: 2_000 });
  });
});
