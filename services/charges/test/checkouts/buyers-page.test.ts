import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { LOGO, sharedCheckoutWorld } from '../support/checkout-world.ts';

const world = worldOfFile(sharedCheckoutWorld);

const checkoutOf = async (chargeId = '') => (await world.client.checkout(chargeId)).data;

test('a visit shows its latest decline until the next attempt', async () => {
  const buyer = await world.buyer((await world.newLink(world.shop())).slug);
  const before = await buyer.now();
  await buyer.openForm();
  await buyer.byCard(world.newCard({ fate: 'failed', returnCode: '51' }));

  const declined = await buyer.now();
  await buyer.byPix();

  expect(before).toMatchObject({ declineReason: null, unexpectedPayments: [] });
  expect(declined).toMatchObject({
    declineReason: 'insufficient_funds',
    charge: { status: 'DECLINED' },
    cardTriesLeft: 4,
  });
  expect(await buyer.now()).toMatchObject({ declineReason: null, state: 'PIX' });
});

test('a visit shows money paid to an expired code', async () => {
  const buyer = await world.buyer((await world.newLink(world.shop(), { uses: 5 })).slug);
  await buyer.byPix();
  const [{ charge }, txid] = [await buyer.now(), await buyer.txid()];
  await buyer.endCode();
  await buyer.byPix();

  world.provider.book.pay(txid);
  await world.client.notify(txid);

  const came = [{ amount: 2500, status: expect.stringMatching(/^RETURN/), paidAt: expect.any(String) }];
  await eventually(async () =>
    expect(await buyer.now()).toMatchObject({ state: 'PIX', unexpectedPayments: came }),
  );
  expect(await checkoutOf(charge?.id)).toMatchObject({ status: 'EXPIRED', unexpectedPayments: came });
  const other = await world.buyer((await world.newLink(world.shop())).slug);
  await other.byPix();
  expect(await other.now()).toMatchObject({ unexpectedPayments: [] });
  await eventually(async () =>
    expect(await buyer.now()).toMatchObject({
      unexpectedPayments: [{ status: 'RETURNED', returnedAt: expect.any(String) }],
    }),
  );
});

test('a link’s charge page has the link’s colour and logo', async () => {
  const shop = world.shop();
  const link = await world.newLink(shop, { color: '#123456', logo: LOGO });
  const buyer = await world.buyer(link.slug);
  await buyer.byPix();

  const { charge } = await buyer.now();
  const own = await checkoutOf(charge?.id);
  await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, { color: null, logo: null });

  expect(own).toMatchObject({ checkoutColor: '#123456', logo: LOGO });
  expect(await checkoutOf(charge?.id)).toMatchObject({ logo: null });
  expect(await checkoutOf(charge?.id)).not.toMatchObject({ checkoutColor: '#123456' });
});
