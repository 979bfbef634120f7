import { expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { systemClock } from '@plataforma/kernel';
import { claimedOf } from '@plataforma/work';
import { payCharge } from '../src/operations/pay-charge.ts';
import { dueCallbacks, recordOutcome } from '../src/store/callbacks.ts';
import { createCharge, startBank } from './bank.ts';

async function claimDue(database: Database, leaseMs: number) {
  const common = { environment: 'sandbox' as const, now: new Date(), limit: 20, except: [] };
  const rows = await dueCallbacks.claimDue(database, { ...common, leaseMs });
  return rows.map((row) => claimedOf(row, systemClock));
}

const STATES = 'SELECT state, attempts FROM callbacks';

/** Returns a stopped provider whose database contains `times` callbacks that are due. */
async function stoppedBank(times: number) {
  const bank = await startBank();
  const { txid } = await createCharge(bank);
  await bank.stop();
  const payment = { txid, orderId: null, amount: undefined, times, isNotified: true, now: new Date() };
  await payCharge(bank.database, payment);
  return bank;
}

test('a sender whose lease expired records nothing', async () => {
  const bank = await stoppedBank(1);
  const { database } = bank;

  const [late] = await claimDue(database, 0);
  const [current] = await claimDue(database, 60_000);
  const others = await claimDue(database, 60_000);

  if (!late || !current) throw new Error('nothing was claimed');
  expect([late.item.attempts, current.item.attempts, others.length]).toEqual([1, 2, 0]);
  expect(await recordOutcome(database, late, 'DELIVERED')).toBe(false);
  expect(await database.query(STATES)).toEqual([{ state: 'PENDING', attempts: 2 }]);
  expect(await recordOutcome(database, current, 'DELIVERED')).toBe(true);
  expect(await recordOutcome(database, current, 'PENDING')).toBe(false);
  expect(await database.query(STATES)).toEqual([{ state: 'DELIVERED', attempts: 2 }]);
  await bank.close();
});

test('parallel senders never lease the same callback', async () => {
  const bank = await stoppedBank(100);

  const claims = await Promise.all(Array.from({ length: 8 }, () => claimDue(bank.database, 60_000)));

  const claimed = claims.flat().map(({ item }) => item.subject);
  expect(new Set(claimed).size).toBe(claimed.length);
  await bank.close();
});
