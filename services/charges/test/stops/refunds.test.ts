import { describe, expect, test } from '@jest/globals';
import { api, type ChargeView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { blocking, doneThenReset, eventually, tokenEnded } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { methods, type Refundable, scopes, scopesOfOthers, startStopWorld } from '../support/stop-world.ts';
import { comesTo, unmatchedOf } from '../support/unmatched.ts';

const world = worldOfFile(startStopWorld);

const chargeOf = ({ tenant, id }: Refundable): Promise<ChargeView> => world.client.charge(tenant, id);
/** Waits until the scheduler has refunded the charge. */
const isRefunded = (charge: Refundable) =>
  eventually(async () =>
    expect(await chargeOf(charge)).toMatchObject({
      status: 'REFUNDED',
      refunds: [{ status: 'REFUNDED', waitingFor: null }],
    }),
  );
const announced = async ({ id }: Refundable) => (await world.eventsOf(id)).slice(1).map(({ type }) => type);

describe.each(methods)('the refund of a %s charge', (method, provider) => {
  test.each(scopes)('waits while refunds of %s are stopped, then continues', async (_whose, of) => {
    const charge = await world.paidBy(method);
    const stop = await world.stopControls.stop({ what: 'refunds', ...of(charge.tenant, provider) });

    const answers = [await charge.refund(), await charge.refund()];
    const stopped = await chargeOf(charge);
    const ordered = charge.orders();
    const events = await announced(charge);
    await world.putFarOff(charge.tenant);
    await world.stopControls.startAgain(stop);

    const [refund] = stopped.refunds;
    const { id, amount, requestedAt } = refund ?? {};
    const waitingFor = { what: 'stop', since: requestedAt };
    const processing = { id, status: 'PROCESSING', amount, requestedAt, waitingFor };
    const data = { id: charge.id, status: 'PAID', refund: processing };
    expect(answers).toMatchObject(Array(2).fill({ status: 202, data }));
    expect(stopped).toMatchObject({ status: 'PAID', refunds: [processing] });
    expect([ordered, events]).toEqual([0, []]);
    await isRefunded(charge);
    expect([charge.orders(), await announced(charge)]).toEqual([1, ['charge.refunded']]);
  });

  test.each(scopesOfOthers)('is made at once while refunds of %s are stopped', async (_whose, of) => {
    const charge = await world.paidBy(method);
    const stop = await world.stopControls.stop({ what: 'refunds', ...of(provider) });

    const { status } = await charge.refund();
    await world.stopControls.startAgain(stop);

    expect(status).toBe(200);
  });
});

test('a refund without balance is refused during a stop, too', async () => {
  const charge = await world.paidBy('PIX');
  const stop = await world.stopControls.stop({ what: 'refunds' });
  world.ledger.next(() => ({
    status: 422,
    body: { success: false, error: { code: 'INSUFFICIENT_BALANCE' } },
  }));

  const answer = await charge.refund();
  await world.stopControls.startAgain(stop);

  expect(answer).toMatchObject({ status: 422, error: { code: 'INSUFFICIENT_BALANCE' } });
});

test('a refund waiting for a token is not ordered during a stop', async () => {
  const charge = await world.paidBy('PIX');
  const blocked = blocking();
  world.provider.next('refund', tokenEnded);
  world.provider.next('token', blocked.behaviour);
  const refunding = charge.refund();
  await blocked.arrived;
  const stop = await world.stopControls.stop({ what: 'refunds', merchantId: charge.tenant.merchantId });

  blocked.release();
  const { status, data } = await refunding;
  const ordered = charge.orders();
  const [row] = await world.database.query('SELECT status, doubted_at FROM refunds WHERE charge_id = $1', [
    charge.id,
  ]);
  await world.stopControls.startAgain(stop);

  expect(status).toBe(202);
  expect(api.refundCharge.otherStatus.data.parse(data).refund.waitingFor?.what).toBe('stop');
  // The provider received only one order, and refused it because its access token had expired. The stop
  // prevented a second order with a new token.
  expect([ordered, row]).toEqual([1, { status: 'DEBITED', doubted_at: null }]);
  await isRefunded(charge);
});

test('a refund ordered before the stop is completed and announced', async () => {
  const charge = await world.paidCharge();
  const { returns } = world.provider.book;
  returns.willBe(charge.pix, 'EM_PROCESSAMENTO');
  await charge.refund();
  const stop = await world.stopControls.stop({ what: 'refunds' });

  const under = await charge.now();
  returns.end(charge.pix, 'DEVOLVIDO');
  await charge.becomes('DONE');
  await world.stopControls.startAgain(stop);

  expect(under.refunds).toMatchObject([{ status: 'PROCESSING', waitingFor: null }]);
  expect(await charge.announced()).toEqual(['charge.refunded']);
});

/** Pays a cancelled charge, and returns the payment's endToEndId. */
async function tooLate(tenant: Tenant): Promise<string> {
  const { id, txid } = await world.client.newCharge(tenant);
  await world.client.cancel(tenant, id);
  const endToEndId = world.provider.book.pay(txid, { insists: true })[0]?.endToEndId ?? '';
  await world.client.notify(txid);
  return endToEndId;
}
/** Waits until the service has tried to return the payment and the stop has prevented the order. */
const isStopped = (endToEndId: string) =>
  eventually(async () => {
    const [payment] = await unmatchedOf(world, endToEndId);
    expect(payment).toMatchObject({ status: 'RETURNING', failure: expect.stringContaining('stopped') });
  });
const ordersOf = (endToEndId: string) => world.provider.requestsFor(endToEndId, 'refund').length;

describe('a late payment', () => {
  test.each(scopes)('stays while returns of %s are stopped, then goes back', async (_whose, of) => {
    const tenant = world.newShop();
    const stop = await world.stopControls.stop({ what: 'returns', ...of(tenant, 'pix') });

    const pix = await tooLate(tenant);
    await isStopped(pix);
    const ordered = ordersOf(pix);
    await world.putFarOff(tenant);
    await world.stopControls.startAgain(stop);

    await comesTo(world, pix, 'RETURNED');
    expect([ordered, world.provider.book.returns.of(pix)]).toMatchObject([0, [{ status: 'DEVOLVIDO' }]]);
  });

  test.each([
    ['another merchant’s returns', { what: 'returns', merchantId: newId() }],
    ['another provider’s returns', { what: 'returns', provider: 'card' }],
    ['refunds', { what: 'refunds' }],
  ])('goes back while %s are stopped', async (_whose, order) => {
    const stop = await world.stopControls.stop(order);

    await comesTo(world, await tooLate(world.newShop()), 'RETURNED');

    await world.stopControls.startAgain(stop);
  });

  test('does not go back when stopped before its order’s token', async () => {
    const blocked = blocking();
    world.provider.next('refund', tokenEnded);
    world.provider.next('token', blocked.behaviour);
    const tenant = world.newShop();
    const pix = await tooLate(tenant);
    await blocked.arrived;
    const stop = await world.stopControls.stop({ what: 'returns' });

    blocked.release();
    await isStopped(pix);
    // The provider received only one order, and refused it because its access token had expired. The stop
    // prevented a second order with a new token.
    expect(ordersOf(pix)).toBe(1);
    await world.stopControls.startAgain(stop);

    await comesTo(world, pix, 'RETURNED');
  });
});

test('an uncollected card payment is not voided while returns are stopped', async () => {
  const shop = world.newShop();
  const order = world.orderBy('CARD');
  world.acquirer.next('pay', doneThenReset);
  await world.create(shop, order);
  const stop = await world.stopControls.stop({ what: 'returns', provider: 'card' });
  const past = `
    UPDATE charges SET created_at = created_at - interval '1 hour', next_check_at = now()
    WHERE merchant_id = $1`;
  const rechecked = `
    SELECT 1 FROM charges
    WHERE merchant_id = $1 AND acquirer_id IS NOT NULL AND NOT is_voiding AND checks > 2
    AND lease_token IS NULL`;
  // Waits until the scheduler has found the approval, and has checked the charge again. The charge is then at
  // least an hour old, so the time to repeat the charge's request has passed.
  await eventually(async () => {
    await world.database.query(past, [shop.merchantId]);
    expect(await world.database.query(rechecked, [shop.merchantId])).toHaveLength(1);
  });
  const [attempt] = await world.attemptsOf(order.externalId);
  const cancels = world.acquirer.requestsFor(attempt?.acquirer_id ?? '', 'cancel');

  const collected = await world.create(shop, order);
  await world.stopControls.startAgain(stop);

  expect([attempt?.acquirer_id, cancels]).toEqual([expect.any(String), []]);
  expect(collected).toMatchObject({ status: 200, data: { status: 'PAID' } });
});
