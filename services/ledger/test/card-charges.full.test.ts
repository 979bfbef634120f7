import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { soundWorld } from './support/books.ts';
import { paidByCard } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { tamper } from './support/tampering.ts';
import { saleIn } from './support/wallet-calls.ts';
import { startWorld } from './support/world.ts';

const world = soundWorld(startWorld);

const PAST = '2026-01-01T00:00:00.000Z';

/** Makes the receivables of these charges due, by moving their due days into the past. */
async function letSettle(...chargeIds: string[]): Promise<void> {
  await tamper(world, 'UPDATE receivables SET settles_at = $2 WHERE charge_id = ANY ($1::uuid[])', [
    chargeIds,
    PAST,
  ]);
}

const settlements = () => world.database.query(`SELECT * FROM journal_entries WHERE kind = 'receivable_due'`);

describe('a paid card charge', () => {
  test('adds its net amount to the pending balance', async () => {
    const tenant = newTenant();
    const charge = paidByCard(tenant, { amount: 10_000, feeAmount: 400 });

    await world.deliver(charge);

    expect(await world.entriesOf(charge.data.id)).toEqual({
      charge_paid: { 'clearing:CARD': -10_000, 'pending:CARD': 9_600, fees: 400 },
    });
    expect(await world.rowsOf(charge.data.id)).toEqual([
      ['CREDIT', 10_000, 10_000],
      ['FEE', -400, 9_600],
    ]);
    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 0,
      withdrawableBalance: 0,
      pendingBalance: 9_600,
      totalEarned: 10_000,
      totalFeesPaid: 400,
      breakdown: { CARD: { availableBalance: 0, pendingBalance: 9_600 } },
    });
  });

  test('that settles at once is available without a receivable', async () => {
    const tenant = newTenant();
    const charge = paidByCard(tenant, { settlesAt: null });

    await world.deliver(charge);

    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 2_475,
      pendingBalance: 0,
      breakdown: { CARD: { availableBalance: 2_475 } },
    });
    const found = 'SELECT * FROM receivables WHERE charge_id = $1';
    expect(await world.database.query(found, [charge.data.id])).toEqual([]);
  });

  test('whose fee takes everything has no receivable', async () => {
    const tenant = newTenant();

    await world.deliver(paidByCard(tenant, { amount: 500, feeAmount: 500 }));

    expect(await world.balanceOf(tenant)).toMatchObject({ pendingBalance: 0, totalFeesPaid: 500 });
    const ofTenant = 'SELECT * FROM receivables WHERE merchant_id = $1';
    expect(await world.database.query(ofTenant, [tenant.merchantId])).toEqual([]);
  });

  test('announced again with another amount, fee or merchant changes nothing', async () => {
    const { tenant, charge } = await saleIn(world, paidByCard);

    await world.deliver(
      { ...charge, data: { ...charge.data, amount: 9_000, netAmount: 8_975 } },
      { ...charge, data: { ...charge.data, feeAmount: 20, netAmount: 2_480 } },
      { ...charge, ...newTenant() },
    );

    expect(await world.balanceOf(tenant)).toMatchObject({ pendingBalance: 2_475, totalEarned: 2_500 });
    expect(await world.deadLetters()).toEqual([]);
  });
});

describe('a due receivable', () => {
  test('becomes available without a statement row', async () => {
    const { tenant, charge } = await saleIn(world, paidByCard);

    await letSettle(charge.data.id);

    await eventually(async () =>
      expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475, pendingBalance: 0 }),
    );
    expect((await world.entriesOf(charge.data.id)).receivable_due).toEqual({
      'pending:CARD': -2_475,
      'available:CARD': 2_475,
    });
    expect(await world.rowsOf(charge.data.id)).toHaveLength(2);
  });

  test('settles once on two replicas, in more than one batch', async () => {
    const other = await world.startReplica();
    const before = (await settlements()).length;
    const tenants = [newTenant(), newTenant(), newTenant('production')];
    const charges = Array.from({ length: 450 }, (_, number) =>
      paidByCard(tenants[number % 3] ?? newTenant(), { settlesAt: PAST }),
    );

    await world.deliver(...charges);

    await eventually(async () => {
      for (const tenant of tenants) {
        expect(await world.balanceOf(tenant)).toMatchObject({
          availableBalance: 150 * 2_475,
          pendingBalance: 0,
        });
      }
    });
    expect((await settlements()).length - before).toBe(450);
    await other.stop();
  });

  test('settles when the lease of an unfinished attempt ends', async () => {
    const { tenant, charge } = await saleIn(world, paidByCard);
    await tamper(
      world,
      `UPDATE receivables SET settles_at = $2, claimed_until = now() + interval '300 ms'
        WHERE charge_id = $1`,
      [charge.data.id, PAST],
    );

    await eventually(async () =>
      expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475, pendingBalance: 0 }),
    );
  });
});
