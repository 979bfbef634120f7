import { describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { flipColumns, worldOfFile } from '@plataforma/testing/world';
import { FAR, paidByCard, refundOf } from './support/emitter.ts';
import { runSealRows } from './support/seal-rows.ts';
import { differencesOf } from './support/tampering.ts';
import { saleIn } from './support/wallet-calls.ts';
import { ownRoleIn, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
/** A connection of a person who has the login of the ledger, but not its key. */
const insider = ownRoleIn(world);

const balancesOf = async (tenant: Tenant) => {
  const { availableBalance, pendingBalance } = await world.balanceOf(tenant);
  return { availableBalance, pendingBalance };
};

const PAST = '2026-11-21T12:00:00.000Z';
const CLAIMED = 'SELECT claimed_until IS NOT NULL AS claimed FROM receivables WHERE charge_id = $1';

/** Creates a merchant whose card payment has settled. */
async function settledMerchant() {
  const sale = await saleIn(world, paidByCard, { settlesAt: PAST });
  await eventually(async () => {
    expect(await balancesOf(sale.tenant)).toEqual({ availableBalance: 2_475, pendingBalance: 0 });
  });
  return sale;
}

/** Waits until the scheduler has claimed the charge's receivable and has settled a later receivable. */
async function letSchedulerTry(chargeId: string): Promise<void> {
  await eventually(async () => {
    expect(await insider.query(CLAIMED, [chargeId])).toEqual([{ claimed: true }]);
  });
  await settledMerchant();
}

const FORGE = `
  INSERT INTO receivables (charge_id, merchant_id, environment, payment_method, amount_cents, remaining_cents,
    settles_at, due_reference, seal)
  SELECT $2, merchant_id, environment, payment_method, amount_cents, remaining_cents,
    now() - interval '1 minute', $2, CASE WHEN $3 THEN seal END
  FROM receivables WHERE charge_id = $1`;

describe('a receivable that an intruder with the ledger’s role', () => {
  test.each([
    ['inserts', false],
    ['inserts with the seal of another one', true],
  ])('%s makes no money available early', async (_how, hasSeal) => {
    const { tenant, charge } = await saleIn(world, paidByCard);
    const before = await balancesOf(tenant);
    const forged = newId();

    await insider.query(FORGE, [charge.data.id, forged, hasSeal]);
    await letSchedulerTry(forged);

    expect(await balancesOf(tenant)).toEqual(before);
    expect(await differencesOf(world, tenant)).not.toEqual([]);
  });

  test('changes in any column is not refunded from', async () => {
    const { tenant, charge } = await saleIn(world, paidByCard);
    const before = await balancesOf(tenant);
    const flips = flipColumns(insider, 'receivables', {
      id: charge.data.id,
      key: 'charge_id',
      without: ['charge_id', 'claimed_until', 'created_at'],
    });
    const tried: string[] = [];
    for await (const flip of flips) {
      const { status } = await world.refund(refundOf(charge, { amount: 100 }));
      expect([flip, status]).toEqual([flip, 409]);
      tried.push(flip.split(' ')[0] ?? '');
    }
    expect(tried).toEqual(['remaining_cents', 'due_reference', 'seal']);
    expect(await balancesOf(tenant)).toEqual(before);
    expect(await world.refund(refundOf(charge, { amount: 100 }))).toMatchObject({ status: 200 });
  });

  test('reopens is not settled again', async () => {
    const { tenant, charge } = await settledMerchant();
    await world.deliver(paidByCard(tenant, { settlesAt: FAR }));
    await insider.query(
      `UPDATE receivables SET remaining_cents = amount_cents, due_reference = $2, claimed_until = NULL
       WHERE charge_id = $1`,
      [charge.data.id, newId()],
    );
    await letSchedulerTry(charge.data.id);

    expect(await balancesOf(tenant)).toEqual({ availableBalance: 2_475, pendingBalance: 2_475 });
  });
});

test('receivables of an earlier release are refused until the command has sealed them', async () => {
  const { charge } = await saleIn(world, paidByCard);
  await insider.query('UPDATE receivables SET seal = NULL WHERE charge_id = $1', [charge.data.id]);
  const refund = (amount: number) => world.refund(refundOf(charge, { amount }));
  expect(await refund(100)).toMatchObject({ status: 409 });

  expect(await runSealRows(world)).toMatchObject({ receivables: expect.any(Number) });

  expect(await refund(200)).toMatchObject({ status: 200 });
  expect(await runSealRows(world)).toMatchObject({ receivables: 0 });
});
