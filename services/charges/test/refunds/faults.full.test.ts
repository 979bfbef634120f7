import { afterEach, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import {
  doneThen500,
  doneThenReset,
  doneThenSilence,
  error500,
  eventually,
  nothingHere,
  reset,
  silence,
  tooMany,
} from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { codeOf } from '../support/client.ts';
import { type PaidCharge, startRefundWorld } from '../support/refund-world.ts';

// The leases are long. Even on a slow machine, the scheduler resumes a refund only after the test has removed
// the lease of the request.
const world = worldOfFile(() =>
  startRefundWorld({
    tuning: { leaseMs: 600_000, refundLeaseMs: 600_000, refundRetryMs: 600_000 },
  }),
);
afterEach(() => world.provider.always('refund'));

const LEDGER_AWAY = [503, 'SERVICE_UNAVAILABLE'];

/**
 * Expects that the refund completes after its caller has left, with one debit in the ledger and one return at
 * the provider.
 */
async function expectRefundedOnce(charge: PaidCharge, amount: number): Promise<void> {
  await charge.handOver();
  await eventually(async () => expect(await charge.refunds()).toMatchObject([{ status: 'DONE' }]));
  const [refund] = await charge.refunds();
  expect(refund?.failure).toBeNull();
  expect(await charge.now()).toMatchObject({ status: 'REFUNDED', refundedAmount: amount });
  expect(charge.debited()).toEqual([amount]);
  expect(charge.returned()).toMatchObject([{ id: refund?.id.replaceAll('-', ''), status: 'DEVOLVIDO' }]);
  expect(await charge.announced()).toEqual(['charge.refunded']);
}

const countDebitRequests = (charge: PaidCharge) =>
  world.ledger.debitRequests.filter((debit) => debit.charge.id === charge.id).length;

describe('a refund during a ledger fault', () => {
  test.each<[string, Behaviour]>([
    ['does not answer', silence],
    ['resets the connection', reset],
    ['answers 500', error500],
    ['answers 429', tooMany],
    ['debits and does not answer', doneThenSilence],
    ['debits and resets the connection', doneThenReset],
    ['debits and answers 500', doneThen500],
  ])('completes later when the ledger %s', async (_what, behaviour) => {
    const charge = await world.paidCharge();
    world.ledger.next(behaviour);

    expect(await codeOf(charge.refund({ amount: 1200 }))).toEqual(LEDGER_AWAY);
    await expectRefundedOnce(charge, 1200);
  });

  test('is not sent to the provider before the ledger’s debit', async () => {
    const charge = await world.paidCharge();
    world.ledger.always(error500);

    await charge.refund();
    await charge.handOver();
    await eventually(() => expect(countDebitRequests(charge)).toBe(2));
    const meanwhile = [await charge.now(), await charge.refunds(), charge.returned()];
    world.ledger.always();

    expect(meanwhile).toMatchObject([
      { status: 'PAID', refundedAmount: null, refundedAt: null },
      [{ status: 'REQUESTED', failure: 'the ledger sent an unusable answer; try again' }],
      [],
    ]);
    expect(world.provider.requestsFor(charge.pix, 'refund')).toEqual([]);
    await expectRefundedOnce(charge, charge.netAmount);
  });
});

describe('a refund during a provider fault', () => {
  test('shows its failure to operators and stays debited', async () => {
    const charge = await world.paidCharge();
    world.provider.always('refund', nothingHere);
    world.provider.always('find-refund', error500);

    await charge.refund({ amount: 1200 });
    const { data } = await world.operate(`/refunds?merchantId=${charge.tenant.merchantId}`);
    const meanwhile = [await charge.now(), charge.debited(), charge.returned()];
    world.provider.always('refund');
    world.provider.always('find-refund');

    const stuck = { status: 'DEBITED', failure: expect.stringMatching(/provider/), chargeId: charge.id };
    expect(data).toMatchObject([stuck]);
    expect(meanwhile).toMatchObject([{ status: 'PAID' }, [1200], []]);
    await expectRefundedOnce(charge, 1200);
  });
});

describe('a refund without enough balance', () => {
  test('is refused without a provider request and may be repeated', async () => {
    const charge = await world.paidCharge();
    world.ledger.setBalance(charge.tenant.merchantId, 1199);

    expect(await codeOf(charge.refund({ amount: 1200 }))).toEqual([422, 'INSUFFICIENT_BALANCE']);
    expect(await charge.now()).toMatchObject({ status: 'PAID', refundedAmount: null });
    expect(await charge.refunds()).toMatchObject([{ status: 'REFUSED', failure: expect.any(String) }]);
    expect(world.provider.requestsFor(charge.pix, 'refund')).toEqual([]);
    expect(await charge.announced()).toEqual([]);

    world.ledger.setBalance(charge.tenant.merchantId, 1200);
    expect((await charge.refund({ amount: 1200 })).status).toBe(200);
    expect([charge.debited(), charge.returned().length]).toEqual([[1200], 1]);
    expect(await charge.announced()).toEqual(['charge.refunded']);
  });

  test('is reversed when a slow ledger debits it late', async () => {
    const tolerant = await world.startReplica({ ledgerTimeoutMs: 600_000 });
    const charge = await world.paidCharge();
    const { merchantId } = charge.tenant;
    const gate = Promise.withResolvers<void>();
    world.ledger.next(
      async (perform) => {
        await gate.promise;
        return perform();
      },
      () => ({ status: 422, body: { success: false, error: { code: 'INSUFFICIENT_BALANCE' } } }),
    );

    const asking = charge.refund({ amount: 1200 }, tolerant.client);
    await eventually(() => expect(countDebitRequests(charge)).toBe(1));
    await charge.handOver();
    await eventually(async () => expect(await charge.refunds()).toMatchObject([{ status: 'REFUSED' }]));
    world.ledger.setBalance(merchantId, 1200);
    gate.resolve();
    expect(await codeOf(asking)).toEqual([422, 'INSUFFICIENT_BALANCE']);
    expect(await charge.now()).toMatchObject({ status: 'PAID' });
    expect(charge.returned()).toEqual([]);
    const [, , reversal] = await world.eventsOf(charge.id);
    const [refund] = await charge.refunds();
    expect(await charge.announced()).toEqual(['charge.refund_failed', 'refund.refused']);
    expect(reversal).toMatchObject({
      type: 'refund.refused',
      sequence: 3,
      data: { id: refund?.id, chargeId: charge.id, amount: 1200, paymentMethod: 'PIX' },
    });
    await tolerant.stop();
  });
});

test('a provider without refunds gets no request and no debit', async () => {
  const without = await startRefundWorld({ settings: { PIX_SANDBOX_REFUNDS: 'false' } });
  const charge = await without.paidCharge();

  expect(await codeOf(charge.refund())).toEqual([400, 'REFUND_NOT_SUPPORTED']);
  expect(await charge.refunds()).toEqual([]);
  expect([without.ledger.debitRequests, without.provider.requestsFor(charge.pix, 'refund')]).toEqual([
    [],
    [],
  ]);
  expect(await charge.now()).toMatchObject({ status: 'PAID' });
  await without.stop();
});
