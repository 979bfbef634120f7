import { describe, expect, test } from '@jest/globals';
import { reset } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedCheckoutWorld } from '../support/checkout-world.ts';
import { codeOf } from '../support/client.ts';

const world = worldOfFile(sharedCheckoutWorld);

describe('a visit that pays by Pix', () => {
  test('reserves a use, gets a code and is paid by it', async () => {
    const { shop, link, buyer } = await world.visited({ uses: 1, externalId: `pedido-${Date.now()}` });

    const { status, data } = await buyer.byPix();
    const reserved = await world.link(shop, link.id);
    await buyer.payCode();

    expect([status, data]).toMatchObject([
      200,
      {
        state: 'PIX',
        charge: { status: 'PENDING', qrCode: expect.any(String), qrCodeBase64: expect.any(String) },
      },
    ]);
    expect(reserved).toMatchObject({ usesTaken: 1, payments: 0, status: 'ACTIVE' });
    expect(await buyer.now()).toMatchObject({
      state: 'PAID',
      charge: { status: 'PAID', endToEndId: expect.any(String), qrCode: null },
    });
    expect(await world.link(shop, link.id)).toMatchObject({ usesTaken: 1, payments: 1, status: 'USED_UP' });
    const [charge] = await world.chargesOf(link.id);
    expect(await world.client.charge(shop, charge?.id ?? '')).toMatchObject({
      ...{
        externalId: link.externalId,
        paymentLinkId: link.id,
        checkoutId: buyer.id,
        payerName: 'Maria da Silva',
      },
    });
    const listed = await world.client.list(shop, `?paymentLinkId=${link.id}`);
    expect(listed.data).toMatchObject([{ id: charge?.id, paymentLinkId: link.id, checkoutId: buyer.id }]);
    expect(await world.eventsOf(charge?.id ?? '')).toMatchObject([
      { type: 'charge.paid', data: { paymentLinkId: link.id, checkoutId: buyer.id } },
    ]);
  });

  test('gets the same code for concurrent and repeated requests', async () => {
    const { link, buyer, counts } = await world.visited({ uses: 5 });

    const answers = await Promise.all(Array.from({ length: 5 }, () => buyer.byPix()));
    const again = await buyer.byPix();

    expect(again.data).toMatchObject({ state: 'PIX', charge: { qrCode: expect.any(String) } });
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual(
      [],
    );
    expect(await world.chargesOf(link.id)).toHaveLength(1);
    expect(await counts()).toMatchObject({ usesTaken: 1 });
  });

  test('releases its use with its code and reserves it again', async () => {
    const { shop, link, buyer, counts } = await world.visited();
    await buyer.byPix();
    const { charge: first } = await buyer.now();

    await buyer.endCode();
    const free = await world.link(shop, link.id);
    await buyer.byPix();
    const { charge: second } = await buyer.now();

    expect(free).toMatchObject({ usesTaken: 0, status: 'ACTIVE' });
    expect(second).toMatchObject({ status: 'PENDING', qrCode: expect.any(String) });
    expect(second?.id).not.toBe(first?.id);
    expect(await counts()).toMatchObject({ usesTaken: 1 });
    expect((await world.chargesOf(link.id)).map(({ status }) => status)).toEqual(['EXPIRED', 'PENDING']);
  });

  test('has money for an old code returned; the new code waits', async () => {
    const { shop, link, buyer, counts } = await world.visited();
    await buyer.byPix();
    const old = await buyer.txid();
    const { charge } = await buyer.now();
    await buyer.endCode();
    await buyer.byPix();

    world.provider.book.pay(old, { insists: true });
    await world.client.notify(old);

    expect(await buyer.now()).toMatchObject({ state: 'PIX', charge: { status: 'PENDING' } });
    expect(await counts()).toMatchObject({ usesTaken: 1, payments: 0 });
    const { data } = await world.callAs(shop, 'GET /v1/unexpected-payments');
    expect(data).toMatchObject([{ chargeId: charge?.id, cause: 'LATE' }]);
    const [payment] = await world.database.query<{ id: string }>(
      'SELECT id FROM unexpected_payments WHERE charge_id = $1',
      [charge?.id],
    );
    // The list may already contain a third event, the return of the payment.
    const [received, shown] = await world.eventsOf(payment?.id ?? '');
    expect([received, shown]).toMatchObject([
      { type: 'unexpected_payment.received' },
      { type: 'payment.unexpected', data: { checkoutId: buyer.id, paymentLinkId: link.id } },
    ]);
  });

  test('releases its use when its merchant cancels the charge', async () => {
    const { shop, buyer, counts } = await world.visited();
    await buyer.byPix();
    const { charge } = await buyer.now();

    await world.client.cancel(shop, charge?.id ?? '');

    expect(await counts()).toMatchObject({ usesTaken: 0 });
    expect(await buyer.now()).toMatchObject({ state: 'OPEN' });
  });

  test('gets its code on retry after a provider failure', async () => {
    const { link, buyer, counts } = await world.visited();
    world.provider.next('create', reset);

    const first = await buyer.byPix();
    const reserved = await counts();
    const second = await buyer.byPix();

    expect([first.status, first.error?.code, first.headers.get('retry-after')]).toEqual([
      503,
      'PROVIDER_UNAVAILABLE',
      '2',
    ]);
    expect(reserved).toMatchObject({ usesTaken: 1 });
    expect(second.data).toMatchObject({ state: 'PIX', charge: { qrCode: expect.any(String) } });
    expect(await world.chargesOf(link.id)).toHaveLength(1);
  });
});

describe('the uses of a link', () => {
  test('cannot be fewer than its payments', async () => {
    const { shop, link, buyer } = await world.visited({ uses: 3 });
    const [other, idle] = [await world.buyer(link.slug), await world.buyer(link.slug)];
    for (const each of [buyer, other, idle]) await each.byPix();
    for (const each of [buyer, other]) await each.payCode();

    const fewer = await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, { uses: 1 });
    const enough = await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, { uses: 2 });

    expect([fewer.error?.code, enough.status]).toEqual(['INVALID_STATE', 200]);
  });

  test('are refused when the merchant charged the order elsewhere', async () => {
    const shop = world.shop();
    const externalId = `pedido-dois-${Date.now()}`;
    const link = await world.newLink(shop, { uses: 1, externalId });
    await world.client.newCharge(shop, { externalId, amount: 999 });
    const buyer = await world.buyer(link.slug);

    expect(await codeOf(buyer.byPix())).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
    expect(await world.link(shop, link.id)).toMatchObject({ usesTaken: 0 });
  });

  test('serve only buyers with a code after the link’s deactivation', async () => {
    const { shop, link, buyer } = await world.visited({ uses: 2 });
    const other = await world.buyer(link.slug, { payerDocument: world.documentOf(1) });
    await buyer.byPix();
    await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, { isActive: false });

    expect((await other.byPix()).error?.code).toBe('LINK_NOT_OPEN');
    await buyer.payCode();
    expect(await buyer.now()).toMatchObject({ state: 'PAID' });
  });
});
