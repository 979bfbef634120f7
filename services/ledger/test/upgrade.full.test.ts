import { afterAll, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { verifyBooks } from '../src/steps/verify-books.ts';
import { listAvailable } from '../src/store/available-rows.ts';
import { listTransactions } from '../src/store/statement.ts';
import { newTenant } from './support/identity.ts';
import { postAsReleased, type Released, startReleased, stepsOfRelease } from './support/released.ts';

const homes: Released[] = [];

async function released(): Promise<Released> {
  const home = await startReleased();
  homes.push(home);
  return home;
}

afterAll(async () => {
  await Promise.all(homes.map((home) => home.stop()));
});

const WAITING = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

test.each(Object.keys(stepsOfRelease(newTenant())))(
  'a posting that has come to its %s when the migration begins is in the books afterwards, and counted',
  async (last) => {
    const home = await released();
    const tenant = newTenant();
    await postAsReleased(home, tenant);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: goneOn, resolve: goOn } = Promise.withResolvers<void>();
    const posting = home.database.transaction(async (tx) => {
      for (const [name, step] of Object.entries(stepsOfRelease(tenant))) {
        await step(tx);
        if (name !== last) continue;
        begin();
        await goneOn;
      }
    });
    await begun;

    const migrating = home.migrate();
    await eventually(async () => expect(await home.database.query(WAITING)).toHaveLength(1));
    goOn();
    await Promise.all([posting, migrating]);

    const { items, total } = await listTransactions(home.database, tenant, { page: 1, limit: 20 });
    expect([items.length, total]).toEqual([4, 4]);
    const query = api.getStatement.query.parse({ view: 'available', order: 'asc' });
    const available = await listAvailable(home.database, tenant, query);
    expect(available).toMatchObject({ total: 2, openingBalance: 0, closingBalance: 4_950 });
    expect(available.items.map(({ movement, balanceAfter }) => [movement?.type, balanceAfter])).toEqual([
      ['PAYMENT', 2_475],
      ['PAYMENT', 4_950],
    ]);
    expect(await verifyBooks(home.database, { after: null, limit: 1_000 })).toMatchObject({
      differences: [],
      next: null,
    });
  },
);
