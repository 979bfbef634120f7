import { afterEach, describe, expect, test } from '@jest/globals';
import { error500, eventually, reset } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newTenant } from '../support/identity.ts';
import { namesOf, type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import { comesTo, unmatchedOf } from '../support/unmatched.ts';

const world = worldOfFile(() => startRefundWorld({ tuning: { providerTimeoutMs: 2_000 } }));
afterEach(() => world.provider.always('refund'));

/**
 * Makes a payment that arrives too late for its charge. `prepare` gets the payment's endToEndId before the
 * callback is sent.
 */
async function late(prepare: (endToEndId: string) => void, of: RefundWorld = world) {
  const tenant = newTenant();
  const { id, txid } = await of.client.newCharge(tenant, { amount: 2500 });
  await of.client.cancel(tenant, id);
  const endToEndId = of.provider.book.pay(txid, { insists: true })[0]?.endToEndId ?? '';
  prepare(endToEndId);
  // The test repeats the callback until the service accepts it, as every provider does.
  await eventually(async () => expect((await of.client.notify(txid)).status).toBe(200));
  const returned = () => of.provider.book.returns.of(endToEndId);
  return { tenant, txid, endToEndId, returned };
}
const nothing = () => undefined;
const eventsOf = async (id: string) => namesOf(await world.eventsOf(id));

describe('a return that its provider', () => {
  test('cannot make now shows its failure and waits longer', async () => {
    world.provider.always('refund', error500);
    const { endToEndId, returned } = await late(nothing);

    const failing = await eventually(async () => {
      const [payment] = await unmatchedOf(world, endToEndId);
      expect(payment).toMatchObject({ status: 'RETURNING', failure: expect.stringMatching(/provider/) });
      return payment;
    });
    await world.database.query(
      'UPDATE unexpected_payments SET attempts = 5000, next_check_at = now() WHERE end_to_end_id = $1',
      [endToEndId],
    );
    const rest = await eventually(async () => {
      expect(await unmatchedOf(world, endToEndId)).toMatchObject([{ attempts: 5001 }]);
      const [row] = await world.database.query<{ seconds: string }>(
        `SELECT extract(epoch FROM next_check_at - now()) AS seconds FROM unexpected_payments
         WHERE end_to_end_id = $1 AND lease_token IS NULL`,
        [endToEndId],
      );
      expect(row).toBeDefined();
      return row;
    });
    world.provider.always('refund');

    expect(failing?.attempts).toBeGreaterThanOrEqual(1);
    expect(Number(rest?.seconds)).toBeGreaterThan(300);
    expect(Number(rest?.seconds)).toBeLessThanOrEqual(600);
    await world.notify({ pix: [{ endToEndId }] });
    expect((await comesTo(world, endToEndId, 'RETURNED')).failure).toBeNull();
    expect(returned()).toHaveLength(1);
  });

  test.each<[string, (endToEndId: string) => void, string]>([
    [
      'does not carry out',
      (pix) => world.provider.book.returns.willBe(pix, 'NAO_REALIZADO', 'Conta encerrada'),
      'Conta encerrada',
    ],
    [
      'refuses',
      () =>
        world.provider.next('refund', () => ({ status: 400, body: { detail: 'Pix de mais de 90 dias.' } })),
      'Pix de mais de 90 dias.',
    ],
    [
      'refuses after a lost answer',
      () =>
        world.provider.next('refund', reset, () => ({
          status: 400,
          body: { detail: 'Devolução já solicitada.' },
        })),
      'Devolução já solicitada.',
    ],
  ])('%s is RETURN_REFUSED with the reason', async (_what, prepare, failure) => {
    const { tenant, endToEndId } = await late(prepare);

    const payment = await comesTo(world, endToEndId, 'RETURN_REFUSED');

    expect(payment).toMatchObject({ ...tenant, failure, returnedAt: null });
    expect(await eventsOf(payment.id)).toEqual([
      'unexpected_payment.received',
      ...['payment.unexpected', 'payment.unexpected'],
    ]);
    const { data } = await world.operate(
      `/unexpected-payments?status=RETURN_REFUSED&merchantId=${tenant.merchantId}`,
    );
    expect(data).toEqual([payment]);
  });
});

test('money at a provider without refunds is RETURN_REFUSED', async () => {
  const without = await startRefundWorld({ settings: { PIX_SANDBOX_REFUNDS: 'false' } });
  const { endToEndId, returned } = await late(nothing, without);

  const payment = await comesTo(without, endToEndId, 'RETURN_REFUSED');

  expect(payment.failure).toMatch(/does not return money/);
  expect([returned(), without.provider.requestsFor(endToEndId, 'refund')]).toEqual([[], []]);
  await without.stop();
});
