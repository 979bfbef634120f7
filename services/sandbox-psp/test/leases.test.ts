import { expect, test } from '@jest/globals';
import { payCharge } from '../src/operations/pay-charge.ts';
import { claimCallbacks, recordOutcome } from '../src/store/callbacks.ts';
import { createCharge, databaseOf, startBank } from './bank.ts';

const STATES = 'SELECT state, attempts FROM callbacks';

test('a sender that comes too late writes nothing', async () => {
  const bank = await startBank();
  const { txid } = await createCharge(bank);
  await bank.stop();
  const database = databaseOf(bank);
  await payCharge(database, { txid, amount: undefined, times: 1, isNotified: true, now: new Date() });

  const [late] = await claimCallbacks(database, { limit: 20, leaseMs: 0 });
  const [current] = await claimCallbacks(database, { limit: 20, leaseMs: 60_000 });
  const others = await claimCallbacks(database, { limit: 20, leaseMs: 60_000 });

  if (!late || !current) throw new Error('nothing was claimed');
  expect([late.attempts, current.attempts, others.length]).toEqual([1, 2, 0]);
  expect(await recordOutcome(database, late, { state: 'DELIVERED', delayMs: null })).toBe(false);
  expect(await database.query(STATES)).toEqual([{ state: 'PENDING', attempts: 2 }]);
  expect(await recordOutcome(database, current, { state: 'DELIVERED', delayMs: null })).toBe(true);
  expect(await recordOutcome(database, current, { state: 'PENDING', delayMs: 0 })).toBe(false);
  expect(await database.query(STATES)).toEqual([{ state: 'DELIVERED', attempts: 2 }]);
  await database.close();
  await bank.close();
});

test('senders that claim at the same instant never share a callback', async () => {
  const bank = await startBank();
  const { txid } = await createCharge(bank);
  await bank.stop();
  const database = databaseOf(bank);
  await payCharge(database, { txid, amount: undefined, times: 100, isNotified: true, now: new Date() });

  const claims = await Promise.all(
    Array.from({ length: 8 }, () => claimCallbacks(database, { limit: 20, leaseMs: 60_000 })),
  );

  const claimed = claims.flat().map(({ subject }) => subject);
  expect(new Set(claimed).size).toBe(claimed.length);
  await database.close();
  await bank.close();
});
