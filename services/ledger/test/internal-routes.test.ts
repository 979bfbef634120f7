import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { disputeOf, paid, paidByCard, refundOf, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { merchantIn, success } from './support/wallet-calls.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

type Query = Record<string, string | number>;
const pathOf = (route: string, query: Query) =>
  `/internal/${route}?${Object.entries(query)
    .map((pair) => pair.join('='))
    .join('&')}`;

describe('a request of a service', () => {
  const refund = refundOf(paid(newTenant()));
  const { charge } = refund;
  const withdrawal = withdrawalOf(newTenant()).order;
  const october = {
    environment: 'sandbox',
    from: '2026-10-01T00:00:00.000Z',
    to: '2026-10-02T00:00:00.000Z',
  };

  const refundsWith = (changes: object) => ({ path: '/internal/refunds', body: { ...refund, ...changes } });
  const withdrawalsWith = (changes: object) => {
    return { path: '/internal/withdrawals', body: { ...withdrawal, ...changes } };
  };
  const paymentsWith = (query: Query) => ({ path: pathOf('payments', { ...october, ...query }) });

  test.each<[string, { path: string; body?: object }, string]>([
    ['a refund without an id', refundsWith({ id: undefined }), 'id'],
    ['a refund with an unknown field', refundsWith({ note: 'x' }), 'note'],
    ['a refund of half a cent', refundsWith({ amount: 0.5 }), 'amount'],
    ['a refund of zero', refundsWith({ amount: 0 }), 'amount'],
    ['a refund of more than the charge', refundsWith({ amount: 2_501 }), 'amount'],
    [
      'a refund with a fee that contradicts the net',
      refundsWith({ charge: { ...charge, netAmount: 1 } }),
      'charge.netAmount',
    ],
    [
      'a refund of a boleto',
      refundsWith({ charge: { ...charge, paymentMethod: 'BOLETO' } }),
      'charge.paymentMethod',
    ],
    ['a withdrawal without an id', withdrawalsWith({ id: undefined }), 'id'],
    ['a withdrawal without a merchant', withdrawalsWith({ merchantId: undefined }), 'merchantId'],
    ['a withdrawal in an unknown environment', withdrawalsWith({ environment: 'staging' }), 'environment'],
    ['a withdrawal with an unknown field', withdrawalsWith({ note: 'x' }), 'note'],
    ['a withdrawal of half a cent', withdrawalsWith({ netAmount: 0.5 }), 'netAmount'],
    ['a withdrawal of zero', withdrawalsWith({ netAmount: 0 }), 'netAmount'],
    ['a withdrawal below zero', withdrawalsWith({ netAmount: -1 }), 'netAmount'],
    ['a withdrawal with a fee below zero', withdrawalsWith({ fee: -1 }), 'fee'],
    ['a withdrawal by card', withdrawalsWith({ method: 'CARD' }), 'method'],
    ['a withdrawal without a time', withdrawalsWith({ occurredAt: 'yesterday' }), 'occurredAt'],
    [
      'a withdrawal with an invalid “again”',
      { ...withdrawalsWith({}), path: '/internal/withdrawals?again=yes' },
      'again',
    ],
    ['payments without an environment', paymentsWith({ environment: '' }), 'environment'],
    ['payments from a day without a time', paymentsWith({ from: '2026-10-01' }), 'from'],
    ['payments, more than a thousand', paymentsWith({ limit: 1_001 }), 'limit'],
    ['payments after a cursor that is not an id', paymentsWith({ after: 'x' }), 'after'],
    ['payments after an unknown cursor', paymentsWith({ after: newId() }), 'after'],
    ['payments with an unknown parameter', paymentsWith({ kind: 'refund' }), 'kind'],
    [
      'the withdrawable balance of an invalid merchant',
      { path: pathOf('withdrawable', { merchantId: 'x', environment: 'sandbox' }) },
      'merchantId',
    ],
  ])('is refused for %s', async (_what, { path, body }, field) => {
    const service = path.startsWith('/internal/withdrawals') ? 'withdrawals' : 'charges';

    expect(await world.askAs(service, path, body)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining(`${field}: `) },
    });
  });
});

test('an id in capital letters names the same order', async () => {
  const refund = refundOf(paid(newTenant()));
  const owner = newTenant();
  await world.deliver(paid(owner));
  const { id, order } = withdrawalOf(owner);
  await world.refund(refund);
  await world.withdraw(order);

  const again = await world.refund({ ...refund, id: refund.id.toUpperCase() });
  const withdrawn = await world.withdraw({ ...order, id: id.toUpperCase() });

  expect([again, withdrawn]).toEqual([success(refund.id), success(id)]);
});

test('a refused withdrawal stays refused, except after a restore', async () => {
  const tenant = newTenant();
  const [first, restored] = [withdrawalOf(tenant), withdrawalOf(tenant)];
  const again = async (order: object) =>
    (await world.askAs('withdrawals', '/internal/withdrawals?again=true', order)).status;

  expect((await world.withdraw(first.order)).status).toBe(422);
  expect(await again(restored.order)).toBe(422);
  await world.deliver(paid(tenant));

  expect(await again(first.order)).toBe(422);
  expect(await again(restored.order)).toBe(200);
  expect((await world.withdraw(restored.order)).status).toBe(200);
});

test('charges and withdrawals read the withdrawable balance by environment', async () => {
  const tenant = await merchantIn(world);
  const withdrawable = async (service: 'charges' | 'withdrawals', environment: string) =>
    (await world.askAs(service, pathOf('withdrawable', { ...tenant, environment }))).data;

  expect(await withdrawable('withdrawals', 'sandbox')).toEqual({ withdrawable: 2_475 });
  expect(await withdrawable('charges', 'sandbox')).toEqual({ withdrawable: 2_475 });
  expect(await withdrawable('charges', 'production')).toEqual({ withdrawable: 0 });
});

test('the refundable balance is withdrawable plus the charge’s pending money', async () => {
  const tenant = newTenant();
  const [pix, card] = [paid(tenant), paidByCard(tenant)];
  const refundable = async (owner: typeof tenant, chargeId: string) =>
    (await world.askAs('charges', pathOf('refundable', { ...owner, chargeId }))).data;
  const before = await refundable(tenant, pix.aggregateId);
  await world.deliver(pix, card);

  expect(before).toEqual({ withdrawable: 0, pending: 0, isBooked: false });
  const [withdrawable, pending] = [pix.data.netAmount, card.data.netAmount];
  expect(await refundable(tenant, pix.aggregateId)).toEqual({ withdrawable, pending: 0, isBooked: true });
  expect(await refundable(tenant, card.aggregateId)).toEqual({ withdrawable, pending, isBooked: true });
  expect(await refundable(newTenant(), card.aggregateId)).toMatchObject({ withdrawable: 0, pending: 0 });
});

test('a dispute’s debt is its reserve’s shortfall, also when lost', async () => {
  const tenant = newTenant();
  const charge = paid(tenant);
  const [lacking, covered] = [disputeOf(charge), disputeOf(paid(tenant), 1_000)];
  const debtOf = async (owner: typeof tenant, disputeId: string) =>
    (await world.askAs('charges', pathOf('dispute-debt', { ...owner, disputeId }))).data;
  const before = await debtOf(tenant, lacking.id);
  await world.deliver(charge, lacking.opened, paid(tenant), covered.opened);

  expect(before).toEqual({ debt: null });
  expect(await debtOf(tenant, lacking.id)).toEqual({ debt: 25 });
  expect(await debtOf(tenant, covered.id)).toEqual({ debt: 0 });
  expect(await debtOf(newTenant(), lacking.id)).toEqual({ debt: null });
  await world.deliver(lacking.resolved('RESOLVED_CUSTOMER'));
  expect(await debtOf(tenant, lacking.id)).toEqual({ debt: 25 });
});
