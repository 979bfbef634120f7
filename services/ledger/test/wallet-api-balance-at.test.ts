import { describe, expect, test } from '@jest/globals';
import { api, type BalanceView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { disputeOf, paid, paidByCard, refundOf, refused, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { changeWallet, zeros } from './support/wallet-calls.ts';
import { sharedSeededWorld } from './support/world.ts';

const world = worldOfFile(sharedSeededWorld);

const ask = (tenant: Tenant, at: string) => world.read(tenant, `/v1/balance?at=${encodeURIComponent(at)}`);
const balanceAt = async (tenant: Tenant, at: string) =>
  api.getBalance.data.parse((await ask(tenant, at)).data);

async function databaseTime(): Promise<Date> {
  const [row] = await world.database.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return row?.now ?? new Date(Number.NaN);
}

interface Moment {
  at: string;
  balance: BalanceView;
}

/** Returns the balance and the current database time. Waits, so that the next posting has a later time. */
async function remember(tenant: Tenant): Promise<Moment> {
  const balance = await world.balanceOf(tenant);
  const at = await databaseTime();
  await eventually(async () => expect((await databaseTime()).getTime()).toBeGreaterThan(at.getTime() + 1));
  return { at: at.toISOString(), balance };
}

async function expectAll(tenant: Tenant, moments: readonly Moment[]): Promise<void> {
  for (const { at, balance } of moments) expect([at, await balanceAt(tenant, at)]).toEqual([at, balance]);
}

describe('the balance at an instant', () => {
  test('is the past balance after each kind of posting', async () => {
    const tenant = newTenant();
    const [pix, card] = [paid(tenant, { amount: 9_000 }), paidByCard(tenant, { amount: 7_000 })];
    const due = paidByCard(tenant, { settlesAt: '2026-01-01T00:00:00.000Z' });
    const [won, lost] = [disputeOf(pix, 3_000), disputeOf(card, 7_000)];
    const refund = refundOf(pix, { amount: 400 });
    const [sent, failed] = [withdrawalOf(tenant), withdrawalOf(tenant)];
    const settleCard = async () => {
      await world.deliver(due);
      await eventually(async () =>
        expect((await world.balanceOf(tenant)).breakdown.CARD.availableBalance).toBe(2_475),
      );
    };
    const steps = [
      () => world.deliver(pix),
      () => world.deliver(card),
      settleCard,
      () => world.refund(refund),
      () => world.deliver(refused(refund)),
      () => world.withdraw(sent.order),
      () => world.deliver(sent.completed),
      () => world.withdraw(failed.order),
      () => world.deliver(failed.failed),
      () => changeWallet(world.first, 'blocks', { ...tenant, amount: 700 }),
      () => changeWallet(world.first, 'unblocks', { ...tenant, amount: 300 }),
      () => changeWallet(world.first, 'adjustments', { ...tenant, amount: 50 }),
      () => changeWallet(world.first, 'adjustments', { ...tenant, amount: -20 }),
      () => world.deliver(won.opened),
      () => world.withdraw(withdrawalOf(tenant, { netAmount: 5_000 }).order),
      () => world.deliver(lost.opened),
      () => world.deliver(won.resolved('RESOLVED_MERCHANT')),
      () => world.deliver(lost.resolved('RESOLVED_CUSTOMER')),
      () => world.deliver(paid(tenant)),
    ];

    const moments = [await remember(tenant)];
    for (const step of steps) {
      await step();
      moments.push(await remember(tenant));
    }

    await expectAll(tenant, moments);
    // Three balances repeat an earlier one, because a completion changes no balance and a return restores the
    // previous balance.
    const distinct = new Set(moments.map(({ balance }) => JSON.stringify(balance)));
    expect(distinct.size).toBe(moments.length - 3);
  });

  test('is right on both sides of a snapshot', async () => {
    const tenant = newTenant();
    await world.deliver(paid(tenant, { amount: 5_000 }));
    await world.deliver(paidByCard(tenant));
    const moments = [await remember(tenant)];
    await world.database.transaction(async (tx) => {
      await tx.query('SET LOCAL session_replication_role = replica');
      await tx.query('UPDATE wallets SET changes = 195 WHERE merchant_id = $1', [tenant.merchantId]);
    });
    for (let number = 0; number < 10; number += 1) {
      await world.withdraw(withdrawalOf(tenant, { netAmount: 1 + number, fee: 1 }).order);
      moments.push(await remember(tenant));
    }

    const snapshots = await world.database.query('SELECT FROM wallet_snapshots WHERE merchant_id = $1', [
      tenant.merchantId,
    ]);
    expect(snapshots).toHaveLength(1);
    await expectAll(tenant, moments);
  });

  test('of now equals the current balance', async () => {
    const tenants = Array.from({ length: 10 }, () => newTenant());
    await world.deliver(...tenants.map((tenant, number) => paid(tenant, { amount: 1_000 * (number + 1) })));

    for (const tenant of tenants) {
      const now = (await databaseTime()).toISOString();
      expect(await balanceAt(tenant, now)).toEqual(await world.balanceOf(tenant));
    }
  });

  test('is zero before the first entry or without entries', async () => {
    const tenant = newTenant();
    const before = (await remember(tenant)).at;
    await world.deliver(paid(tenant));

    expect(await balanceAt(tenant, before)).toEqual(zeros);
    expect(await balanceAt(tenant, '0001-01-01T00:00:00Z')).toEqual(zeros);
    expect(await balanceAt(newTenant(), before)).toEqual(zeros);
  });

  test('is the same for an instant in any offset', async () => {
    const tenant = newTenant();
    await world.deliver(paid(tenant));
    const { at, balance } = await remember(tenant);
    await world.deliver(paid(tenant));
    const inSaoPaulo = new Date(Date.parse(at) - 3 * 3_600_000).toISOString().replace('Z', '-03:00');

    expect(await balanceAt(tenant, inSaoPaulo)).toEqual(balance);
  });

  test('belongs to one merchant and environment', async () => {
    const tenant = newTenant('production');
    await world.deliver(paid(tenant));
    const { at } = await remember(tenant);

    expect(await balanceAt({ ...tenant, environment: 'sandbox' }, at)).toEqual(zeros);
    expect(await balanceAt({ ...tenant, merchantId: newId() }, at)).toEqual(zeros);
  });

  const WRONG =
    'at: must be an instant with seconds and Z or an offset, such as 2026-11-22T10:00:00-03:00; a + is %2B in a URL';

  test.each([
    ['2999-01-01T00:00:00Z', 'at: must not be in the future'],
    ['2026-11-21T12:00:00', WRONG],
    ['2026-11-21', WRONG],
    ['2026-02-30T12:00:00Z', WRONG],
    ['yesterday', WRONG],
    ['', 'at: is required'],
  ])('at %j is refused', async (at, message) => {
    const { headers: _, ...answer } = await ask(newTenant(), at);

    expect(answer).toEqual({ success: false, status: 400, error: { code: 'VALIDATION_ERROR', message } });
  });
});

describe('the balance during concurrent postings', () => {
  test('at each instant is one that the wallet had', async () => {
    const other = await world.startReplica();
    const tenant = newTenant();
    await world.deliver(paid(tenant, { amount: 100_000, feeAmount: 0 }));
    const instants: string[] = [];

    for (let round = 0; round < rounds(20); round += 1) {
      await Promise.all([
        world.withdraw(withdrawalOf(tenant, { netAmount: 1, fee: 0 }).order),
        world.withdraw(withdrawalOf(tenant, { netAmount: 10, fee: 0 }).order, other),
        databaseTime().then((now) => instants.push(now.toISOString())),
      ]);
    }

    const had = await world.database.query<{ balance: number }>(
      'SELECT balance_after_cents AS balance FROM wallet_transactions WHERE merchant_id = $1',
      [tenant.merchantId],
    );
    for (const at of instants) {
      const then = await balanceAt(tenant, at);
      expect(had.map(({ balance }) => balance)).toContain(then?.availableBalance);
    }
    expect((await balanceAt(tenant, (await databaseTime()).toISOString()))?.availableBalance).toBe(
      100_000 - 11 * rounds(20),
    );
  });
});
