import { describe, expect, test } from '@jest/globals';
import { newId, PLATFORM_ID, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { newTenant } from '../support/identity.ts';
import type { Payment, Pix } from '../support/pix-book.ts';
import { namesOf, startRefundWorld } from '../support/refund-world.ts';
import { comesTo, unmatchedOf } from '../support/unmatched.ts';

const world = worldOfFile(startRefundWorld);
const second = beforeFile(() => world.startReplica());

const book = () => world.provider.book;
const charged = (tenant: Tenant) => world.client.newCharge(tenant, { amount: 2500 });
const pay = (txid: string, payment: Payment = {}) => {
  const [pix] = book().pay(txid, { insists: true, ...payment });
  if (!pix) throw new Error('nothing was paid');
  return pix;
};

async function cancelled(tenant: Tenant) {
  const charge = await charged(tenant);
  await world.client.cancel(tenant, charge.id);
  return charge;
}
async function expired(tenant: Tenant) {
  const charge = await charged(tenant);
  await world.letTimeRunOut(charge.id);
  await eventually(async () => expect((await world.client.charge(tenant, charge.id)).status).toBe('EXPIRED'));
  return charge;
}
async function paid(tenant: Tenant) {
  const charge = await charged(tenant);
  pay(charge.txid);
  await world.client.notify(charge.txid);
  return charge;
}

const isForTheBooks = ({ type }: { type: string }) => type !== 'payment.unexpected';

/**
 * Expects that the whole payment was returned to the payer once, and that its arrival and return were
 * announced to the ledger and the merchant.
 */
async function expectReturnedOnce(pix: Pix, expected: Record<string, unknown>): Promise<void> {
  const payment = await comesTo(world, pix.endToEndId, 'RETURNED');
  expect(payment).toMatchObject({ ...expected, returnedAt: expect.any(String), failure: null });
  expect(payment.paidAt).toBe(pix.horario);
  expect(book().returns.of(pix.endToEndId)).toMatchObject([{ valor: pix.valor, status: 'DEVOLVIDO' }]);
  const ids = world.provider.requestsFor(pix.endToEndId, 'refund').map(({ id }) => id);
  expect(new Set(ids).size).toBe(1);
  const announced = await world.eventsOf(payment.id);
  const [events, notified] = [
    announced.filter(isForTheBooks),
    announced.filter((event) => !isForTheBooks(event)),
  ];
  expect(namesOf(events)).toEqual(['unexpected_payment.received', 'unexpected_payment.returned']);
  const { id, amount, paidAt, returnedAt, merchantId } = payment;
  const entered = { id, paymentMethod: 'PIX', amount, paidAt };
  expect(events.map(({ data }) => data)).toEqual([entered, { ...entered, returnedAt }]);
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(new Set(events.map((event) => event.merchantId))).toEqual(new Set([merchantId ?? PLATFORM_ID]));
  const { chargeId, txid, endToEndId, cause, returnEndToEndId } = payment;
  expect(returnEndToEndId).toBe(book().returns.of(endToEndId)[0]?.rtrId);
  const shown = { id, chargeId, txid, endToEndId, amount, cause, paidAt };
  const states = [
    { sequence: 1, data: { ...shown, status: 'RETURNING', returnEndToEndId: null, returnedAt: null } },
    { sequence: 2, data: { ...shown, status: 'RETURNED', returnEndToEndId, returnedAt } },
  ];
  expect(notified.map(({ sequence, data }) => ({ sequence, data }))).toEqual(merchantId ? states : []);
}

describe('an unexpected payment', () => {
  test.each<[string, (tenant: Tenant) => Promise<{ id: string; txid: string }>, Payment, string]>([
    ['comes after the charge expired', expired, {}, 'LATE'],
    ['comes after the charge was cancelled', cancelled, {}, 'LATE'],
    ['is paid a second time', paid, {}, 'DUPLICATE'],
    ['is too little', charged, { amount: 2499 }, 'WRONG_AMOUNT'],
    ['is too much', charged, { amount: 2501 }, 'WRONG_AMOUNT'],
  ])('is returned when it %s', async (_what, make, payment, cause) => {
    const tenant = newTenant();
    const { id: chargeId, txid } = await make(tenant);
    const state = async () => [await world.client.charge(tenant, chargeId), await world.eventsOf(chargeId)];
    const before = await state();
    const pix = pay(txid, payment);

    await world.client.notify(txid);

    const amount = payment.amount ?? 2500;
    await expectReturnedOnce(pix, { ...tenant, chargeId, txid, amount, cause });
    expect(await state()).toEqual(before);
  });

  test('is returned when its charge is unknown', async () => {
    const txid = newId().replaceAll('-', '');
    const pix = book().payKey(1234, txid);

    await world.notify({ pix: [{ txid, endToEndId: pix.endToEndId }] });

    const nobodys = { merchantId: null, chargeId: null, environment: expect.any(String) };
    await expectReturnedOnce(pix, { ...nobodys, txid, amount: 1234, cause: 'UNKNOWN_CHARGE' });
  });

  test('is returned when it names no charge', async () => {
    const pix = book().payKey(1234);

    await world.notify({ pix: [{ endToEndId: pix.endToEndId }] });

    const nobodys = { merchantId: null, chargeId: null, txid: null };
    await expectReturnedOnce(pix, { ...nobodys, amount: 1234, cause: 'UNKNOWN_CHARGE' });
  });

  test('is returned when only the provider’s list reports it', async () => {
    const { txid } = await cancelled(newTenant());

    const pix = pay(txid, { isListed: true });

    await expectReturnedOnce(pix, { txid, amount: 2500, cause: 'LATE' });
  });

  test('is returned once despite twenty callbacks at two replicas', async () => {
    const tenant = newTenant();
    const { txid } = await cancelled(tenant);
    const pix = pay(txid, { isListed: true });
    const { endToEndId } = pix;

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        world.notify({ pix: [{ txid, endToEndId }] }, i % 2 ? world.client : second.client),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await expectReturnedOnce(pix, { ...tenant, txid, cause: 'LATE' });
    await world.notify({ pix: [{ txid, endToEndId }] }, second.client);
    await expectReturnedOnce(pix, { ...tenant, txid, cause: 'LATE' });
  });

  test('is returned each time when it comes three times', async () => {
    const { txid } = await paid(newTenant());
    const all = [pay(txid), pay(txid), pay(txid)];

    await world.client.notify(txid);

    for (const pix of all) await expectReturnedOnce(pix, { txid, cause: 'DUPLICATE' });
  });

  test.each([
    ['before', { isListed: true }, { amount: 1 }],
    ['after', { amount: 1 }, { isListed: true }],
  ])('is returned without the charge’s own payment %s it', async (_when, first, second) => {
    const tenant = newTenant();
    const { id, txid } = await charged(tenant);
    const payments = [pay(txid, first), pay(txid, second)];

    await world.client.notify(txid);

    const [right, wrong] = ['25.00', '0.01'].map((valor) => payments.find((pix) => pix.valor === valor));
    await comesTo(world, wrong?.endToEndId ?? '', 'RETURNED');
    expect(await unmatchedOf(world, right?.endToEndId ?? '')).toEqual([]);
    expect(book().returns.of(right?.endToEndId ?? '')).toEqual([]);
    expect(await world.client.charge(tenant, id)).toMatchObject({
      status: 'PAID',
      endToEndId: right?.endToEndId,
    });
    expect(await world.eventsOf(id)).toHaveLength(1);
  });
});

test('operators find unexpected payments by merchant, environment and status', async () => {
  const tenant = newTenant();
  const { id, txid } = await cancelled(tenant);
  const pix = pay(txid);
  await world.client.notify(txid);
  const payment = await comesTo(world, pix.endToEndId, 'RETURNED');

  const found = async (query: string) =>
    (await world.operate(`/unexpected-payments?merchantId=${tenant.merchantId}${query}`)).data;

  expect(await found('')).toEqual([payment]);
  expect(await found('&status=RETURNED&environment=sandbox')).toEqual([payment]);
  expect(await found('&status=RETURNING')).toEqual([]);
  expect(await found('&environment=production')).toEqual([]);
  const { data } = await world.operate(`/charges/${id}`);
  expect(data).toMatchObject({ unexpectedPayments: [payment], refunds: [], disputes: [] });
});
