import { describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { blocking, doneThenReset, eventually, tokenEnded } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { scopes, startStopWorld } from '../support/stop-world.ts';
import { comesTo, unmatchedOf } from '../support/unmatched.ts';

const world = worldOfFile(startStopWorld);

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
  const cancelled = world.acquirer.requests.filter(({ operation }) => operation === 'cancel').length;

  const collected = await world.create(shop, order);
  await world.stopControls.startAgain(stop);

  expect(cancelled).toBe(0);
  expect(collected).toMatchObject({ status: 200, data: { status: 'PAID' } });
});
