import { expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { systemClock } from '@plataforma/kernel';
import { claimedOf } from '@plataforma/work';
import { payCharge } from '../src/operations/pay-charge.ts';
import { dueCallbacks, recordOutcome } from '../src/store/callbacks.ts';
import { createCharge, databaseOf, startBank } from './bank.ts';

async function claim(database: Database, leaseMs: number) {
  const common = { environment: 'sandbox' as const, now: new Date(), limit: 20, except: [] };
  const rows = await dueCallbacks.claim(database, { ...common, leaseMs });
  return rows.map((row) => claimedOf(row, systemClock));
}

const STATES = 'SELECT state, attempts FROM callbacks';

test('a sender that comes too late writes nothing', async () => {
  const bank = await startBank();
  const { txid } = await createCharge(bank);
  await bank.stop();
  const database = databaseOf(bank);
  await payCharge(database, {
    txid,
    orderId: null,
    amount: undefined,
    times: 1,
    isNotified: true,
    now: new Date(),
  });

  const [late] = await claim(database, 0);
  const [current] = await claim(database, 60_000);
  const others = await claim(database, 60_000);

  if (!late || !current) throw new Error('nothing was claimed');
  expect([late.item.attempts, current.item.attempts, others.length]).toEqual([1, 2, 0]);
  expect(await recordOutcome(database, late, 'DELIVERED')).toBe(false);
  expect(await database.query(STATES)).toEqual([{ state: 'PENDING', attempts: 2 }]);
  expect(await recordOutcome(database, current, 'DELIVERED')).toBe(true);
  expect(await recordOutcome(database, current, 'PENDING')).toBe(false);
  expect(await database.query(STATES)).toEqual([{ state: 'DELIVERED', attempts: 2 }]);
  await database.close();
  await bank.close();
});

test('senders that claim at the same instant never share a callback', async () => {
  const bank = await startBank();
  const { txid } = await createCharge(bank);
  await bank.stop();
  const database = databaseOf(bank);
  await payCharge(database, {
    txid,
    orderId: null,
    amount: undefined,
    times: 100,
    isNotified: true,
    now: new Date(),
  });

  const claims = await Promise.all(Array.from({ length: 8 }, () => claim(database, 60_000)));

  const claimed = claims.flat().map(({ item }) => item.subject);
  expect(new Set(claimed).size).toBe(claimed.length);
  await database.close();
  await bank.close();
});
