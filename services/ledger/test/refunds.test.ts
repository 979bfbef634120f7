import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { soundWorld } from './support/books.ts';
import { disputeOf, paid, paidByCard, refundOf, refused } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { failure, saleIn, success } from './support/wallet-calls.ts';
import { sharedWorld } from './support/world.ts';

const world = soundWorld(sharedWorld);
afterEach(async () => expect(await world.deadLetters()).toEqual([]));

describe('a refund', () => {
  test('of a Pix charge takes available money', async () => {
    const { tenant, charge } = await saleIn(world, paid, { externalId: 'pedido-5' });
    const refund = refundOf(charge, { amount: 1_000 });

    const answer = await world.refund(refund);

    expect(answer).toEqual(success(refund.id));
    expect(await world.entriesOf(refund.id)).toEqual({
      refund: { 'available:PIX': -1_000, 'clearing:PIX': 1_000 },
    });
    expect(await world.rowsOf(charge.data.id)).toEqual([
      ['CREDIT', 2_500, 2_500],
      ['FEE', -25, 2_475],
      ['REFUND', -1_000, 1_475],
    ]);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_475, totalEarned: 2_500 });
  });

  test('of a card charge takes pending, card, then Pix money', async () => {
    const tenant = newTenant();
    const charge = paidByCard(tenant);
    const card = paidByCard(tenant, { amount: 10, feeAmount: 0, settlesAt: null });
    await world.deliver(charge, card, paid(tenant), paidByCard(tenant));

    await world.refund(refundOf(charge, { amount: 2_500 }));

    expect(await world.balanceOf(tenant)).toMatchObject({
      breakdown: {
        CARD: { availableBalance: 0, pendingBalance: 2_475 },
        PIX: { availableBalance: 2_475 - 15, pendingBalance: 0 },
      },
    });
  });

  test('that overtakes its charge’s event posts both once', async () => {
    const tenant = newTenant();
    const charge = paidByCard(tenant);

    const answer = await world.refund(refundOf(charge, { amount: 2_000 }));
    await world.deliver(charge);

    expect(answer.status).toBe(200);
    expect(await world.balanceOf(tenant)).toMatchObject({ pendingBalance: 475, totalEarned: 2_500 });
    expect(await world.rowsOf(charge.data.id)).toHaveLength(3);
  });

  test('beyond the balance is refused without naming the balance', async () => {
    const { tenant, charge } = await saleIn(world);

    const answer = await world.refund(refundOf(charge, { amount: 2_476 }));

    expect(answer).toEqual(failure(422, 'INSUFFICIENT_BALANCE'));
    expect(JSON.stringify(answer)).not.toMatch(/\d{4}/);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475 });
  });

  test('uses no money that covers a dispute debt', async () => {
    const tenant = newTenant();
    const disputed = paid(tenant, { amount: 2_500, feeAmount: 2_500 });
    await world.deliver(disputed, disputeOf(disputed, 1_000).opened);
    const charge = paid(tenant);
    await world.deliver(charge);
    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 2_475,
      withdrawableBalance: 1_475,
    });

    const tooMuch = await world.refund(refundOf(charge, { amount: 1_476 }));
    const allThereIs = await world.refund(refundOf(charge, { amount: 1_475 }));

    expect([tooMuch.status, allThereIs.status]).toEqual([422, 200]);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_000, withdrawableBalance: 0 });
  });

  test('takes nothing from another merchant’s receivable', async () => {
    const [owner, thief] = [newTenant(), newTenant()];
    const charge = paidByCard(owner);
    await world.deliver(charge, paid(thief));

    const answer = await world.refund({ ...refundOf(charge), ...thief });

    expect(answer).toEqual(failure(409, 'INVALID_STATE'));
    expect(await world.balanceOf(owner)).toMatchObject({ pendingBalance: 2_475 });
    expect(await world.balanceOf(thief)).toMatchObject({ availableBalance: 2_475 });
  });

  test('of a charge with amounts unlike the books is refused', async () => {
    const { tenant, charge } = await saleIn(world);

    const order = refundOf(paid(tenant, { ...charge.data, amount: 5_000, netAmount: 4_975 }), {
      amount: 100,
    });
    const answer = await world.refund(order);

    expect(answer).toEqual(failure(409, 'INVALID_STATE'));
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475 });
  });
});

describe('a refund refused by the provider', () => {
  test('returns to the balances that it was taken from', async () => {
    const tenant = newTenant();
    const charge = paidByCard(tenant);
    await world.deliver(charge, paid(tenant, { amount: 100, feeAmount: 0 }));
    const before = await world.balanceOf(tenant);
    const refund = refundOf(charge, { amount: 2_500 });
    await world.refund(refund);

    await world.deliver(refused(refund));
    await world.deliver(refused(refund));

    expect(await world.balanceOf(tenant)).toEqual(before);
    expect(await world.entriesOf(refund.id)).toEqual({
      refund: { 'pending:CARD': -2_475, 'available:PIX': -25, 'clearing:CARD': 2_500 },
      refund_refused: { 'pending:CARD': 2_475, 'available:PIX': 25, 'clearing:CARD': -2_500 },
    });
    expect((await world.rowsOf(charge.data.id)).slice(2)).toEqual([
      ['REFUND', -2_500, 75],
      ['REFUND', 2_500, 2_575],
    ]);
  });

  test('changes nothing when it was never posted', async () => {
    const { tenant, charge } = await saleIn(world);

    await world.deliver(refused(refundOf(charge)));

    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475 });
  });

  test('changes nothing with another amount', async () => {
    const tenant = newTenant();
    const refund = refundOf(paid(tenant), { amount: 1_000 });
    await world.refund(refund);

    await world.deliver(refused({ ...refund, amount: 2_000 }));

    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_475 });
  });
});

test('a dispute debt also collects a refused refund’s money', async () => {
  const tenant = newTenant();
  const refund = refundOf(paid(tenant), { amount: 2_475 });
  await world.refund(refund);
  const disputed = paid(tenant, { feeAmount: 2_500 });
  await world.deliver(disputed, disputeOf(disputed, 1_000).resolved('RESOLVED_CUSTOMER'));

  await world.deliver(refused(refund));

  await eventually(async () =>
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_475, disputeDebt: 0 }),
  );
});
