import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { soundWorld } from './support/books.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { zeros } from './support/wallet-calls.ts';
import { sharedWorld } from './support/world.ts';

const world = soundWorld(sharedWorld);

async function rowsOf(chargeId: string): Promise<unknown[]> {
  return world.database.query(
    `SELECT type, amount_cents, balance_after_cents, description, payment_method FROM wallet_transactions
     WHERE charge_id = $1 ORDER BY id`,
    [chargeId],
  );
}

async function linesOf(reference: string): Promise<unknown[]> {
  return world.database.query(
    `SELECT e.kind, e.occurred_at, l.account, l.amount_cents FROM journal_entries e
     JOIN journal_lines l ON l.entry_id = e.id WHERE e.reference = $1 ORDER BY l.account`,
    [reference],
  );
}

describe('a paid charge', () => {
  test('is one balanced entry of gross amount and fee', async () => {
    const tenant = newTenant();
    const event = paid(tenant, { amount: 10_000, feeAmount: 199, externalId: 'pedido-77' });

    await world.deliver(event);

    const occurred_at = new Date('2026-11-21T12:00:00.000Z');
    const line = { kind: 'charge_paid', occurred_at };
    expect(await linesOf(event.data.id)).toEqual([
      { ...line, account: 'available:PIX', amount_cents: 9_801 },
      { ...line, account: 'clearing:PIX', amount_cents: -10_000 },
      { ...line, account: 'fees', amount_cents: 199 },
    ]);
    const row = { payment_method: 'PIX' };
    expect(await rowsOf(event.data.id)).toEqual([
      {
        ...row,
        type: 'CREDIT',
        amount_cents: 10_000,
        balance_after_cents: 10_000,
        description: 'Pix charge pedido-77',
      },
      {
        ...row,
        type: 'FEE',
        amount_cents: -199,
        balance_after_cents: 9_801,
        description: 'Fee of Pix charge pedido-77',
      },
    ]);
    expect(await world.balanceOf(tenant)).toEqual({
      ...zeros,
      availableBalance: 9_801,
      withdrawableBalance: 9_801,
      totalEarned: 10_000,
      totalFeesPaid: 199,
      breakdown: { ...zeros.breakdown, PIX: { availableBalance: 9_801, pendingBalance: 0 } },
    });
  });

  test('adds to the existing balance', async () => {
    const tenant = newTenant();

    await world.deliver(paid(tenant), paid(tenant, { amount: 100, feeAmount: 1 }));
    await world.deliver(paid(tenant, { amount: 700, feeAmount: 7 }));

    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 2_475 + 99 + 693,
      totalEarned: 3_300,
      totalFeesPaid: 33,
    });
  });

  test('without a fee has no fee row and no fee line', async () => {
    const tenant = newTenant();
    const event = paid(tenant, { amount: 500, feeAmount: 0 });

    await world.deliver(event);

    expect(await rowsOf(event.data.id)).toMatchObject([{ type: 'CREDIT', amount_cents: 500 }]);
    expect(await linesOf(event.data.id)).toMatchObject([
      { account: 'available:PIX' },
      { account: 'clearing:PIX' },
    ]);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 500, totalFeesPaid: 0 });
  });

  test('whose fee takes everything leaves the balance unchanged', async () => {
    const tenant = newTenant();
    const event = paid(tenant, { amount: 500, feeAmount: 500 });

    await world.deliver(event);

    expect(await rowsOf(event.data.id)).toMatchObject([
      { type: 'CREDIT', amount_cents: 500, balance_after_cents: 500 },
      { type: 'FEE', amount_cents: -500, balance_after_cents: 0 },
    ]);
    expect(await world.balanceOf(tenant)).toEqual({ ...zeros, totalEarned: 500, totalFeesPaid: 500 });
  });
});

describe('a repeated announcement', () => {
  test('of the same event is posted once', async () => {
    const tenant = newTenant();
    const last = newTenant();
    await world.deliver(paid(tenant));

    await world.emitter.publishAgain();
    await world.deliver(paid(last));

    await eventually(async () => expect(await world.balanceOf(last)).toMatchObject({ totalEarned: 2_500 }));
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475, totalEarned: 2_500 });
  });

  test('of one charge in two events is posted once', async () => {
    const tenant = newTenant();
    const event = paid(tenant);

    await world.deliver(event, event);
    await world.deliver(event);

    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475, totalEarned: 2_500 });
    expect(await rowsOf(event.data.id)).toHaveLength(2);
  });
});

describe('the balance', () => {
  test('of a wallet without entries is zero everywhere', async () => {
    expect(await world.balanceOf(newTenant())).toEqual(zeros);
  });

  test('is invisible to other environments and merchants', async () => {
    const tenant = newTenant('production');
    await world.deliver(paid(tenant));

    const own = await world.balanceOf(tenant);
    const sandbox = await world.balanceOf({ ...tenant, environment: 'sandbox' });
    const stranger = await world.balanceOf({ ...tenant, merchantId: newId() });

    expect(own.availableBalance).toBe(2_475);
    expect([sandbox, stranger]).toEqual([zeros, zeros]);
  });
});

test('the ledger is ready with its database and broker', async () => {
  const { status, data } = await world.askAs('gateway', '/readyz');

  expect([status, data]).toEqual([200, { database: 'ok', broker: 'ok', accepting: 'ok' }]);
});
