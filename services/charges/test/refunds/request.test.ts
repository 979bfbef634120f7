import { describe, expect, test } from '@jest/globals';
import { webhookEvents } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { NO_CARD_NAMES } from '../support/client.ts';
import { newTenant } from '../support/identity.ts';
import { sharedRefundWorld } from '../support/refund-world.ts';

const world = worldOfFile(sharedRefundWorld);

const CONFLICT = [409, 'CHARGE_NOT_REFUNDABLE'];

describe('a refund', () => {
  test('without an amount returns the net amount', async () => {
    const charge = await world.paidCharge({ amount: 2500 });

    const { status, data } = await charge.refund();

    const now = await charge.now();
    const [{ id = null } = {}] = await charge.refunds();
    const { refundedAt } = now;
    expect(status).toBe(200);
    expect(data).toEqual({
      id: charge.id,
      status: 'REFUNDED',
      refundedAmount: charge.netAmount,
      refundedAt,
      refundReason: null,
      refund: {
        ...{ id, amount: charge.netAmount, reason: null, status: 'REFUNDED' },
        ...{ requestedAt: expect.any(String), refundedAt, failureReason: null },
        endToEndId: charge.returned()[0]?.rtrId,
      },
    });
    expect(now).toMatchObject({ status: 'REFUNDED', refundedAmount: charge.netAmount, refundReason: null });
    expect(now.refunds).toMatchObject([{ id, endToEndId: charge.returned()[0]?.rtrId }]);
    expect(charge.netAmount).toBe(2465);
    expect(charge.returned()).toMatchObject([{ valor: '24.65', status: 'DEVOLVIDO' }]);
    expect(charge.debited()).toEqual([2465]);
  });

  test.each([1, 1000, 2500])('of %i of 2500 returns that amount', async (amount) => {
    const charge = await world.paidCharge({ amount: 2500 });

    const { status, data } = await charge.refund({ amount, reason: 'Tamanho errado' });

    expect([status, data]).toMatchObject([200, { refundedAmount: amount, refundReason: 'Tamanho errado' }]);
    expect(charge.returned().map(({ valor }) => Number(valor) * 100)).toEqual([amount]);
    expect(charge.debited()).toEqual([amount]);
    expect(await charge.now()).toMatchObject({ refundedAmount: amount, refundReason: 'Tamanho errado' });
  });

  test('is announced once with the fields of the contract', async () => {
    const charge = await world.paidCharge();

    const { data } = await charge.refund({ amount: 700, reason: 'Não serviu' });

    const [paid, refunded, ...more] = await world.eventsOf(charge.id);
    const { refundedAt, paidAt } = await charge.now();
    expect(data).toMatchObject({ refundedAt });
    expect([paid?.sequence, refunded?.sequence, more]).toEqual([1, 2, []]);
    expect(refunded).toMatchObject({ type: 'charge.refunded', ...charge.tenant, aggregateId: charge.id });
    const { id, txid, externalId, paymentMethod, amount, feeAmount, netAmount } = charge;
    const money = { amount, feeAmount, netAmount };
    const pix = { paymentMethod, endToEndId: charge.pix, ...NO_CARD_NAMES };
    const refundedCharge = {
      id,
      txid,
      externalId,
      ...money,
      ...pix,
      metadata: {},
      status: 'REFUNDED',
      paidAt,
    };
    const [{ id: refundId = null } = {}] = await charge.refunds();
    const refund = {
      ...{ refundedAmount: 700, refundReason: 'Não serviu' },
      refund: {
        ...{ id: refundId, amount: 700, reason: 'Não serviu', status: 'REFUNDED' },
        ...{ requestedAt: expect.any(String), refundedAt, endToEndId: charge.returned()[0]?.rtrId },
      },
    };
    expect(refunded?.data).toEqual({ ...refundedCharge, ...refund, refundedAt });
    expect(webhookEvents['charge.refunded'].parse(refunded?.data)).toEqual({ ...refundedCharge, ...refund });
  });

  test('sends the ledger all fields of the charge', async () => {
    const charge = await world.paidCharge();

    await charge.refund({ amount: 900 });

    const [refund] = await charge.refunds();
    const { id, externalId, paymentMethod, amount, feeAmount, netAmount } = charge;
    const { paidAt, endToEndId } = await charge.now();
    const paid = { amount, feeAmount, netAmount, paidAt, settlesAt: null, endToEndId };
    expect(world.ledger.taken.find((debit) => debit.id === refund?.id)).toEqual({
      id: refund?.id,
      ...charge.tenant,
      amount: 900,
      occurredAt: expect.any(String),
      charge: { id, externalId, paymentMethod, ...paid },
    });
    expect(charge.returned().map((each) => each.id)).toEqual([refund?.id.replaceAll('-', '')]);
  });

  test('is found by operators by status, merchant and charge', async () => {
    const charge = await world.paidCharge();
    await charge.refund({ amount: 900, reason: 'x'.repeat(255) });
    const { merchantId, environment } = charge.tenant;

    const mine = `merchantId=${merchantId}&environment=${environment}`;
    const done = await world.operate(`/refunds?status=DONE&${mine}`);
    const refused = await world.operate(`/refunds?status=REFUSED&${mine}`);
    const { data } = await world.operate(`/charges/${charge.id}`);

    const refund = {
      ...{ id: (await charge.refunds())[0]?.id, chargeId: charge.id, amount: 900 },
      reason: 'x'.repeat(255),
      status: 'DONE',
      failure: null,
      createdAt: expect.any(String),
    };
    expect([done.data, done.meta]).toMatchObject([[refund], { total: 1 }]);
    expect(refused.data).toEqual([]);
    expect(data).toMatchObject({ status: 'REFUNDED', refunds: [refund], disputes: [] });
  });
});

describe('an invalid refund', () => {
  test.each([[{ amount: 2501 }, /^amount: must be at most 2500/]])(
    'with %j is a VALIDATION_ERROR that names the field',
    async (body, message) => {
      const charge = await world.paidCharge({ amount: 2500 });

      const { status, error } = await charge.refund(body);

      expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(error?.message).toMatch(message);
      expect(await charge.refunds()).toEqual([]);
    },
  );

  test('needs an amount when the fee took the whole charge', async () => {
    const tenant = newTenant();
    world.gateway.describe(tenant.merchantId, { pixFeeFixed: 5000 });
    const charge = await world.paidCharge({ amount: 2500 }, { tenant });

    const { status, error } = await charge.refund();

    expect([status, error?.message]).toEqual([400, expect.stringMatching(/^amount: is required/)]);
    expect((await charge.refund({ amount: 2500 })).status).toBe(200);
  });

  const refundOf = (tenant: Tenant, id: string) => world.call(tenant, `/v1/charges/${id}/refund`, {});

  test('of a PENDING, EXPIRED or CANCELLED charge is a conflict', async () => {
    const tenant = newTenant();
    const [pending, expired, cancelled] = await Promise.all([
      world.client.newCharge(tenant),
      world.client.newCharge(tenant),
      world.client.newCharge(tenant),
    ]);
    await world.client.cancel(tenant, cancelled.id);
    await world.database.query(`UPDATE charges SET status = 'EXPIRED' WHERE id = $1`, [expired.id]);

    for (const [charge, state] of [
      [pending, 'PENDING'],
      [expired, 'EXPIRED'],
      [cancelled, 'CANCELLED'],
    ] as const) {
      const { status, error } = await refundOf(tenant, charge.id);
      expect([status, error?.code, error?.message]).toEqual([
        ...CONFLICT,
        `the charge is ${state} and can’t be refunded`,
      ]);
    }
  });

  test('of a REFUNDED charge is a conflict in any amount', async () => {
    const charge = await world.paidCharge();
    await charge.refund({ amount: 500 });

    const again = [await charge.refund({ amount: 500 }), await charge.refund({ amount: 1 })];

    for (const { status, error } of again) expect([status, error?.code]).toEqual(CONFLICT);
    expect([charge.returned().length, charge.debited()]).toEqual([1, [500]]);
  });

  test('of a DISPUTED charge is a conflict', async () => {
    const charge = await world.paidCharge();
    await world.dispute(charge.id);

    const { status, error } = await charge.refund();

    expect([status, error?.code, error?.message]).toEqual([
      ...CONFLICT,
      expect.stringMatching(/is DISPUTED/),
    ]);
    expect([charge.returned(), charge.debited()]).toEqual([[], []]);
  });
});
