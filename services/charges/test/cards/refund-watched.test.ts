import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { refundRoute, startFakeLedger, worldOfFile } from '@plataforma/testing/world';
import { alarmsAbout } from '../support/alarms.ts';
import { startCardWorld } from '../support/card-world.ts';
import { ownKeys } from '../support/identity.ts';

const world = worldOfFile(async () => {
  const ledger = await startFakeLedger({ route: refundRoute, keys: ownKeys });
  return startCardWorld({ settings: { LEDGER_URL: ledger.url }, fakes: { ledger } });
});

/** Makes a charge with a first refund that the acquirer refused. */
async function refusedRefund() {
  const shop = world.newShop();
  const charge = await world.paidCharge(shop, { amount: 2500 });
  const refund = (amount: number) => world.call(shop, `/v1/charges/${charge.id}/refund`, { amount });
  const message = 'This charge can not be canceled.';
  world.acquirer.next('cancel', () => ({ status: 412, body: { message } }));
  expect((await refund(900)).status).toBe(409);
  const refunds = () =>
    world.database.query<{ id: string; status: string; attempts: number; lease_token: string | null }>(
      'SELECT id, status, attempts, lease_token FROM refunds WHERE charge_id = $1 ORDER BY created_at',
      [charge.id],
    );
  const [first] = await refunds();
  return { charge, refund, refunds, id: first?.id ?? '' };
}

test('a refused card refund that is done later raises an alarm', async () => {
  const { charge, id } = await refusedRefund();
  world.acquirer.book.cancel(charge.acquirerId, 900);

  await world.notify(charge.acquirerId);

  await eventually(async () =>
    expect(await alarmsAbout(world.client, id)).toMatchObject([
      { subject: 'refund', kind: 'DONE_AFTER_FAILED', amount: 900, chargeId: charge.id },
    ]),
  );
});

test('a later card refund is not mistaken for the refused one', async () => {
  const { charge, refund, refunds, id } = await refusedRefund();
  expect((await refund(900)).status).toBe(200);
  const [before] = await refunds();

  await world.notify(charge.acquirerId);

  await eventually(async () => {
    const [first] = await refunds();
    expect(first).toMatchObject({ status: 'REFUSED', lease_token: null });
    expect(first?.attempts).toBeGreaterThan(before?.attempts ?? 0);
  });
  expect(await alarmsAbout(world.client, id)).toEqual([]);
});
