import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import {
  doneThen500,
  doneThenGarbage,
  doneThenReset,
  doneThenSilence,
  error500,
  eventually,
  reset,
  silence,
} from '@plataforma/testing';
import { newTenant } from '../support/identity.ts';
import { namesOf, type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import { comesTo, unexpectedOf } from '../support/unexpected.ts';

let world: RefundWorld;

beforeAll(async () => {
  world = await startRefundWorld({ tuning: { providerTimeoutMs: 2_000 } });
});
afterEach(() => world.provider.always('refund'));
afterAll(() => world.stop());

/** Money that is told of, too late for its charge, after `prepare` has seen its number. */
async function late(prepare: (endToEndId: string) => void, of: RefundWorld = world) {
  const tenant = newTenant();
  const { id, txid } = await of.client.newCharge(tenant, { amount: 2500 });
  await of.client.cancel(tenant, id);
  const endToEndId = of.provider.book.pay(txid, { insists: true })[0]?.endToEndId ?? '';
  prepare(endToEndId);
  // Told again, as every provider does, until it is taken.
  await eventually(async () => expect((await of.client.notify(txid)).status).toBe(200));
  const returned = () => of.provider.book.returns.of(endToEndId);
  return { tenant, txid, endToEndId, returned };
}
const nothing = () => undefined;
const eventsOf = async (id: string) => namesOf(await world.eventsOf(id));

describe('a return that its provider', () => {
  test.each<[string, Behaviour]>([
    ['does not answer', silence],
    ['cuts off', reset],
    ['answers with 500', error500],
    ['answers with garbage', () => ({ status: 200, text: '<html>' })],
    ['does in silence', doneThenSilence],
    ['does and cuts off', doneThenReset],
    ['does and answers with 500', doneThen500],
    ['does and answers with garbage', doneThenGarbage],
  ])('%s is done later, once', async (_what, behaviour) => {
    const { endToEndId, returned } = await late(() => world.provider.next('refund', behaviour));

    const payment = await comesTo(world, endToEndId, 'RETURNED');

    expect(returned()).toMatchObject([{ valor: '25.00', status: 'DEVOLVIDO' }]);
    expect(payment.failure).toBeNull();
    expect(payment.attempts).toBeGreaterThanOrEqual(2);
    expect(await eventsOf(payment.id)).toEqual([
      'unexpected_payment.received',
      'unexpected_payment.returned',
    ]);
  });

  test('cannot do now is shown with why, and rests ever longer', async () => {
    world.provider.always('refund', error500);
    const { endToEndId, returned } = await late(nothing);

    const failing = await eventually(async () => {
      const [payment] = await unexpectedOf(world, endToEndId);
      expect(payment).toMatchObject({ status: 'RETURNING', failure: expect.stringMatching(/provider/) });
      return payment;
    });
    await world.database.query(
      'UPDATE unexpected_payments SET attempts = 5000, next_check_at = now() WHERE end_to_end_id = $1',
      [endToEndId],
    );
    const rest = await eventually(async () => {
      expect(await unexpectedOf(world, endToEndId)).toMatchObject([{ attempts: 5001 }]);
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
    await world.tell({ pix: [{ endToEndId }] });
    await comesTo(world, endToEndId, 'RETURNED');
    expect(returned()).toHaveLength(1);
  });

  test('does slowly is RETURNED when the provider says so', async () => {
    const { endToEndId, returned } = await late((pix) =>
      world.provider.book.returns.willBe(pix, 'EM_PROCESSAMENTO'),
    );
    await eventually(() => expect(returned()).toHaveLength(1));
    const meanwhile = await unexpectedOf(world, endToEndId);
    world.provider.book.returns.end(endToEndId, 'DEVOLVIDO');

    await world.tell({ pix: [{ endToEndId }] });

    expect(meanwhile).toMatchObject([{ status: 'RETURNING', returnedAt: null }]);
    const { id } = await comesTo(world, endToEndId, 'RETURNED');
    expect(await eventsOf(id)).toEqual(['unexpected_payment.received', 'unexpected_payment.returned']);
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
  ])('%s is RETURN_REFUSED, for operators to see why', async (_what, prepare, failure) => {
    const { tenant, endToEndId } = await late(prepare);

    const payment = await comesTo(world, endToEndId, 'RETURN_REFUSED');

    expect(payment).toMatchObject({ ...tenant, failure, returnedAt: null });
    expect(await eventsOf(payment.id)).toEqual(['unexpected_payment.received']);
    const { data } = await world.operate(
      `/unexpected-payments?status=RETURN_REFUSED&merchantId=${tenant.merchantId}`,
    );
    expect(data).toEqual([payment]);
  });
});

test('a provider that returns no money leaves it with us, as RETURN_REFUSED', async () => {
  const without = await startRefundWorld({ settings: { PIX_SANDBOX_REFUNDS: 'false' } });
  const { endToEndId, returned } = await late(nothing, without);

  const payment = await comesTo(without, endToEndId, 'RETURN_REFUSED');

  expect(payment.failure).toMatch(/does not return money/);
  expect([returned(), without.provider.requestsFor(endToEndId, 'refund')]).toEqual([[], []]);
  await without.stop();
});

describe('a return that is refused when its first order might still be at work', () => {
  const refusal: Behaviour = () => ({ status: 400, body: { detail: 'Devolução já solicitada.' } });

  /** The answer to the first order was lost, the same order again is refused, and long it rests. */
  async function doubted() {
    const slow = await startRefundWorld({ tuning: { refundDoubtMs: 600_000 } });
    const story = await late(() => slow.provider.next('refund', reset, refusal), slow);
    await eventually(async () =>
      expect(await unexpectedOf(slow, story.endToEndId)).toMatchObject([
        { status: 'RETURNING', failure: 'Devolução já solicitada.' },
      ]),
    );
    const lookAgain = () =>
      slow.database.query(
        "UPDATE unexpected_payments SET doubted_at = doubted_at - interval '10 minutes', next_check_at = now()",
      );
    return { ...story, slow, lookAgain };
  }

  test('is RETURNED when the first order was carried out after all', async () => {
    const { endToEndId, returned, slow, lookAgain } = await doubted();
    const [{ id = '' } = {}] = slow.provider.requestsFor(endToEndId, 'refund');
    slow.provider.book.returns.put(endToEndId, id, '25.00');

    await lookAgain();

    const payment = await comesTo(slow, endToEndId, 'RETURNED');
    expect(returned()).toHaveLength(1);
    expect(namesOf(await slow.eventsOf(payment.id))).toEqual([
      'unexpected_payment.received',
      'unexpected_payment.returned',
    ]);
    await slow.stop();
  });

  test('is RETURN_REFUSED when the provider knows of none a while later, and ordered no more', async () => {
    const { endToEndId, slow, lookAgain } = await doubted();

    await lookAgain();

    expect((await comesTo(slow, endToEndId, 'RETURN_REFUSED')).failure).toBe('Devolução já solicitada.');
    expect(slow.provider.requestsFor(endToEndId, 'refund')).toHaveLength(2);
    await slow.stop();
  });
});
