import { describe, expect, test } from '@jest/globals';
import { blocking, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import type { ReturnStatus } from '../support/pix-returns.ts';
import { startRefundWorld } from '../support/refund-world.ts';

describe('a caller of a refund', () => {
  const waitingWorld = worldOfFile(() => startRefundWorld({ settings: { REFUND_WAIT_MS: '8000' } }));

  /** Requests a refund that the provider ends after the service has checked it once. */
  async function endedMeanwhile(end: ReturnStatus) {
    const charge = await waitingWorld.paidCharge();
    const book = waitingWorld.provider.book.returns;
    book.willBe(charge.pix, 'EM_PROCESSAMENTO');
    const answered = charge.refund({ amount: 900 });
    await eventually(() =>
      expect(waitingWorld.provider.requestsFor(charge.pix, 'find-refund').length).toBeGreaterThan(0),
    );
    book.end(charge.pix, end);
    return { charge, ...(await answered) };
  }

  test('gets 200 for a refund done within seconds', async () => {
    const { charge, status, data } = await endedMeanwhile('DEVOLVIDO');

    expect([status, data]).toMatchObject([200, { status: 'REFUNDED', refundedAmount: 900 }]);
    expect(await charge.refunds()).toMatchObject([{ status: 'DONE' }]);
    expect(await charge.announced()).toEqual(['charge.refunded']);
  });

  test('gets a refusal that comes within seconds', async () => {
    const { charge, status, error } = await endedMeanwhile('NAO_REALIZADO');

    expect([status, error?.code]).toEqual([409, 'REFUND_REFUSED']);
    expect(await charge.announced()).toEqual(['refund.refused']);
    expect(await charge.now()).toMatchObject({ status: 'PAID' });
  });

  /** Starts a test environment whose leases last longer than the delays of a busy machine. */
  const startWaiting = (waitMs: number) =>
    startRefundWorld({ settings: { REFUND_WAIT_MS: String(waitMs) }, tuning: { refundLeaseMs: 60_000 } });

  test('gets 202 after the maximum wait despite a silent provider', async () => {
    const hasty = await startWaiting(500);
    const charge = await hasty.paidCharge();
    hasty.provider.book.returns.willBe(charge.pix, 'EM_PROCESSAMENTO');
    const blocked = blocking();
    hasty.provider.next('find-refund', blocked.behaviour);

    const { status, data } = await charge.refund({ amount: 900 });
    blocked.release();

    expect([status, data]).toMatchObject([202, { status: 'PAID', refund: { status: 'PROCESSING' } }]);
    await hasty.stop();
  });

  test('waits the full time while the provider is processing', async () => {
    const hasty = await startWaiting(1500);
    const charge = await hasty.paidCharge();
    hasty.provider.book.returns.willBe(charge.pix, 'EM_PROCESSAMENTO');
    const begunAt = performance.now();

    const { status } = await charge.refund({ amount: 900 });

    expect(status).toBe(202);
    // The lower limit leaves a tolerance, because the service uses the database's clock and the test uses its
    // process's clock.
    expect(performance.now() - begunAt).toBeGreaterThan(1_450);
    await hasty.stop();
  });
});
