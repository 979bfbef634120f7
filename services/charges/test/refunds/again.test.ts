import { describe, expect, test } from '@jest/globals';
import { webhookEvents } from '@plataforma/contracts';
import type { Behaviour } from '@plataforma/testing';
import { blocking, doneThenReset, error500, eventually, reset } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { codeOf } from '../support/client.ts';
import { startRefundWorld } from '../support/refund-world.ts';

// The scheduler does not work, so that only repeated requests finish a refund.
const world = worldOfFile(() =>
  startRefundWorld({
    tuning: {
      leaseMs: 600_000,
      refundLeaseMs: 600_000,
      refundRetryMs: 600_000,
      refundUnconfirmedMs: 600_000,
    },
  }),
);

describe('a repeated refund request', () => {
  test.each<[string, () => void]>([
    ['the ledger was unavailable', () => world.ledger.next(error500)],
    ['the ledger debited and its answer was lost', () => world.ledger.next(doneThenReset)],
    ['the provider was unavailable', () => world.provider.next('refund', error500)],
    ['the provider refunded and its answer was lost', () => world.provider.next('refund', doneThenReset)],
  ])('continues the same refund when %s', async (_what, goWrong) => {
    const charge = await world.paidCharge();
    goWrong();

    const first = await charge.refund({ amount: 800, reason: 'Não serviu' });
    const second = await charge.refund({ amount: 800, reason: 'Não serviu' });

    expect([first.status, second.status]).toEqual([503, 200]);
    expect(second.data).toMatchObject({ status: 'REFUNDED', refundedAmount: 800 });
    expect(await charge.refunds()).toMatchObject([{ status: 'DONE' }]);
    expect([charge.debited(), charge.returned().length]).toEqual([[800], 1]);
    expect(await charge.announced()).toEqual(['charge.refunded']);
  });

  test('is announced once, under the refund’s own id', async () => {
    const charge = await world.paidCharge({ metadata: { loja: 'matriz' } });

    await Promise.all([charge.refund({ amount: 700 }), charge.refund({ amount: 700 })]);

    const [{ id = '' } = {}] = await charge.refunds();
    const { externalId, paymentMethod, metadata } = charge;
    const of = { id, chargeId: charge.id, paymentMethod, externalId, metadata };
    const data = { ...of, status: 'PROCESSING', amount: 700, reason: null };
    const [created, ...more] = await world.eventsOf(id);
    expect([created, more]).toMatchObject([{ type: 'refund.created', sequence: 1, ...charge.tenant }, []]);
    expect(created?.data).toEqual({ ...data, requestedAt: expect.any(String) });
    expect(webhookEvents['refund.created'].parse(created?.data)).toEqual(created?.data);
  });

  test('in another amount is a conflict', async () => {
    const charge = await world.paidCharge();
    world.provider.next('refund', error500);
    await charge.refund({ amount: 800 });

    expect(await codeOf(charge.refund({ amount: 801 }))).toEqual([409, 'REQUEST_IN_PROGRESS']);
    expect(await charge.refunds()).toHaveLength(1);
  });

  test.each<[string, (behaviour: Behaviour) => void]>([
    ['the ledger', (behaviour) => world.ledger.next(behaviour)],
    ['the provider', (behaviour) => world.provider.next('refund', behaviour)],
  ])('gets 202 while %s processes the first one', async (_who, meet) => {
    const charge = await world.paidCharge();
    const blocked = blocking();
    meet(blocked.behaviour);
    const first = charge.refund({ amount: 800 });
    await blocked.arrived;

    const second = await charge.refund({ amount: 800 });
    blocked.release();

    expect([second.status, second.data]).toMatchObject([202, { refund: { status: 'PROCESSING' } }]);
    expect((await first).status).toBe(200);
    expect([charge.debited(), charge.returned().length]).toEqual([[800], 1]);
  });

  test('continues the same refund after an interruption', async () => {
    const charge = await world.paidCharge();
    const blocked = blocking(doneThenReset);
    world.provider.next('refund', blocked.behaviour);
    const first = charge.refund({ amount: 800 });
    await blocked.arrived;
    // The refund is now due and has no lease, as if its process had crashed and the lease had ended.
    await charge.handOver();

    const second = await charge.refund({ amount: 800 });
    blocked.release();

    await first;
    await eventually(async () => expect(await charge.refunds()).toMatchObject([{ status: 'DONE' }]));
    expect([200, 202, 409]).toContain(second.status);
    expect([charge.debited(), charge.returned().length]).toEqual([[800], 1]);
    expect(await charge.announced()).toEqual(['charge.refunded']);
  });

  test('stays in progress while the first order is unconfirmed', async () => {
    const failure = 'Devolução já solicitada.';
    const charge = await world.paidCharge();
    world.provider.next('refund', reset, () => ({ status: 400, body: { detail: failure } }));

    const answers = [await charge.refund({ amount: 800 }), await charge.refund({ amount: 800 })];
    const third = await charge.refund({ amount: 800 });
    const unconfirmed = await charge.refunds();
    const since = "UPDATE refunds SET doubted_at = doubted_at - interval '10 minutes' WHERE charge_id = $1";
    await world.database.query(since, [charge.id]);
    await charge.handOver();
    await charge.becomes('REFUSED');

    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect([third.status, third.data]).toMatchObject([202, { refund: { status: 'PROCESSING' } }]);
    expect(unconfirmed).toMatchObject([{ status: 'DEBITED', failure }]);
    expect(await charge.refunds()).toMatchObject([{ failure }]);
    expect((await charge.refund({ amount: 800 })).status).toBe(200);
  });
});
