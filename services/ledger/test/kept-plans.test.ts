import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { findExistingEntries } from '../src/store/journal.ts';
import { paid, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { ownRoleIn, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const application = ownRoleIn(world);

const READ = `
  SELECT relname AS table, seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_xact_user_tables
  WHERE relname IN ('journal_entries', 'journal_lines', 'wallets', 'wallet_transactions')
  AND seq_tup_read + idx_tup_fetch > 0
  ORDER BY relname`;

test('a cached plan of a posting reads only matching rows', async () => {
  const tenant = newTenant();
  const readEntries = () =>
    application.transaction(async (tx) => {
      const { entries } = await findExistingEntries(tx, [tenant], [{ kind: 'charge_paid', reference }]);
      return { entries, read: await tx.queryUnprepared(READ, []) };
    });
  const payments = Array.from({ length: 100 }, () => paid(tenant));
  const reference = payments[50]?.data.id ?? '';
  expect(await readEntries()).toEqual({ entries: [], read: [] });

  await world.deliver(...payments);

  expect(await readEntries()).toMatchObject({
    entries: [{ kind: 'charge_paid', reference }],
    read: [
      { table: 'journal_entries', rows: 1 },
      { table: 'journal_lines', rows: 3 },
      { table: 'wallet_transactions', rows: 1 },
      { table: 'wallets', rows: 1 },
    ],
  });
});

test('a refused debit is found only as a debit', async () => {
  const tenant = newTenant();
  const { order } = withdrawalOf(tenant, { netAmount: 100, fee: 0 });
  expect(await world.withdraw(order)).not.toMatchObject({ status: 200 });
  const existing = (kind: 'withdrawal_created' | 'charge_paid', reference: string) =>
    application.transaction(async (tx) => {
      const { entries, refused } = await findExistingEntries(tx, [], [{ kind, reference }]);
      return { entries, refused };
    });

  expect(await existing('withdrawal_created', order.id)).toEqual({ entries: [], refused: [order.id] });
  expect(await existing('charge_paid', order.id)).toEqual({ entries: [], refused: [] });
  expect(await existing('withdrawal_created', newId())).toEqual({ entries: [], refused: [] });
});
