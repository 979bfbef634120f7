import { describe, expect, test } from '@jest/globals';
import type { Queryable } from '@plataforma/data';
import type { MerchantSnapshot } from '@plataforma/events';
import { newId, type Tenant } from '@plataforma/kernel';
import { merchantSeals, orderTables, outboxSeals, sharedTables } from '@plataforma/tables';
import { merchantUpdated, rounds } from '@plataforma/testing';
import { databaseOfFile } from '@plataforma/testing/fixtures';
import { aheadOf, aheadOfEach, merchantTime } from '../src/index.ts';
import { saveMerchants } from '../src/merchants.ts';

const database = databaseOfFile([sharedTables, orderTables, outboxSeals, merchantSeals], 5);

const snapshot = (id: string, sandboxAheadMs: number, version: number): MerchantSnapshot => {
  const update = merchantUpdated(id, { sandboxAheadMs, version });
  if (update.type !== 'merchant.updated') throw new Error('the event is not merchant.updated');
  return update.data;
};
const sandboxOf = (merchantId: string): Tenant => ({ merchantId, environment: 'sandbox' });
const now = new Date('2026-11-26T12:00:00Z');

/** A database that fails the test when it is queried. */
const untouched = new Proxy({} as Queryable, {
  get: () => {
    throw new Error('the database was asked');
  },
});

describe('the clock of a sandbox', () => {
  test('shows real time until an event moves it ahead', async () => {
    const tenant = sandboxOf(newId());
    expect(await aheadOf(database, tenant)).toBe(0);

    await saveMerchants(database, [snapshot(tenant.merchantId, 5_000, 2)]);

    expect(await merchantTime(database, () => now, tenant)).toEqual(new Date('2026-11-26T12:00:05Z'));
  });

  test('uses the largest offset of events in any order', async () => {
    const { merchantId } = sandboxOf(newId());

    await saveMerchants(database, [snapshot(merchantId, 5_000, 3), snapshot(merchantId, 2_000, 2)]);
    await saveMerchants(database, [snapshot(merchantId, 0, 4)]);
    await saveMerchants(database, [snapshot(merchantId, 1_000, 1)]);

    expect(await aheadOf(database, sandboxOf(merchantId))).toBe(5_000);
  });

  test(`uses the largest offset of concurrent events, ${rounds(50)} times`, async () => {
    for (let round = 0; round < rounds(50); round += 1) {
      const ids = [newId(), newId()];
      const events = [1, 2, 3, 4].map((version) => ids.map((id) => snapshot(id, version * 1_000, version)));

      await Promise.all(events.map((event) => saveMerchants(database, event)));

      const aheads = await Promise.all(ids.map((id) => aheadOf(database, sandboxOf(id))));
      expect(aheads).toEqual([4_000, 4_000]);
    }
  });
});

describe('production', () => {
  test('uses real time without a query', async () => {
    const tenant: Tenant = { merchantId: newId(), environment: 'production' };

    expect(await aheadOf(untouched, tenant)).toBe(0);
    expect(await merchantTime(untouched, () => now, tenant)).toEqual(now);
    expect((await aheadOfEach(untouched, [tenant]))(tenant)).toBe(0);
    await expect(aheadOf(untouched, sandboxOf(tenant.merchantId))).rejects.toThrow('was asked');
  });
});
