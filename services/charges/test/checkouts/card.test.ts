import { describe, expect, test } from '@jest/globals';
import { doneThenReset, eventually, reset } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedCheckoutWorld } from '../support/checkout-world.ts';
import { codeOf } from '../support/client.ts';

const world = worldOfFile(sharedCheckoutWorld);

const declining = () => world.newCard({ fate: 'failed', returnCode: '51' });

describe('the card form of a visit', () => {
  test('reserves a use for ten minutes and then releases it', async () => {
    const { buyer, counts } = await world.visited();

    const { data } = await buyer.openForm();
    const reserved = await counts();
    await world.closeForm(buyer.id);

    const { cardFormUntil, serverTime } = await buyer.now();
    expect(data).toMatchObject({ state: 'CARD_FORM', cardTriesLeft: 5, charge: null });
    expect(reserved).toEqual({ usesTaken: 1, payments: 0 });
    expect([cardFormUntil, typeof serverTime]).toEqual([null, 'string']);
    await eventually(async () => expect(await counts()).toEqual({ usesTaken: 0, payments: 0 }));
    expect(await buyer.now()).toMatchObject({ state: 'OPEN' });
  });

  test('shares its use with a waiting code', async () => {
    const { buyer, counts } = await world.visited();
    await buyer.byPix();

    await buyer.openForm();
    const both = await counts();
    await world.closeForm(buyer.id);
    const again = await buyer.byPix();

    expect(both).toEqual({ usesTaken: 1, payments: 0 });
    expect(again.data).toMatchObject({ state: 'PIX' });
    expect(await counts()).toEqual({ usesTaken: 1, payments: 0 });
  });

  test('keeps its use when the visit’s code ends', async () => {
    const { buyer, counts } = await world.visited();
    await buyer.byPix();
    await buyer.openForm();
    const { charge } = await buyer.now();

    await world.letTimeRunOut(charge?.id ?? '');
    await eventually(async () => expect(await buyer.now()).toMatchObject({ state: 'CARD_FORM' }));

    expect(await counts()).toEqual({ usesTaken: 1, payments: 0 });
  });

  test('does not open where account or link takes no cards', async () => {
    const without = await world.newLink(world.newShop({ cardEnabled: false }, 'production'));
    const onlyPix = await world.newLink(world.shop(), { methods: ['PIX'] });
    const visits = [await world.buyer(without.slug), await world.buyer(onlyPix.slug)];

    const answers = await Promise.all(visits.map((visit) => visit.openForm()));

    expect(answers.map(({ error }) => error?.code)).toEqual(['CARD_NOT_ENABLED', 'INVALID_STATE']);
  });
});

describe('an approved card', () => {
  test('pays the visit after its code is removed at the provider', async () => {
    const { shop, link, buyer, counts, statuses } = await world.visited({
      uses: 1,
      externalId: `cartao-${Date.now()}`,
    });
    await buyer.byPix();
    const txid = await buyer.txid();
    const card = world.newCard();

    const { status, data } = await buyer.byCard(card, { installments: 3, payerName: 'Ana Titular' });

    expect([status, data]).toMatchObject([
      200,
      { state: 'PAID', charge: { paymentMethod: 'CARD', installments: 3, cardLastDigits: '0010' } },
    ]);
    expect(world.provider.book.find(txid)?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    expect(await statuses()).toEqual(['CANCELLED', 'PAID']);
    expect(await counts()).toEqual({ usesTaken: 1, payments: 1 });
    const [, paid] = await world.chargesOf(link.id);
    expect(await world.client.charge(shop, paid?.id ?? '')).toMatchObject({
      ...{ externalId: link.externalId, payerName: 'Ana Titular', paymentLinkId: link.id },
    });
    expect(world.acquirer.book.ofCard(card)).toHaveLength(1);
  });

  test('is not charged when the code was paid before', async () => {
    const { buyer, counts, statuses } = await world.visited();
    await buyer.byPix();
    world.provider.book.pay(await buyer.txid());
    const card = world.newCard();

    const { status, data } = await buyer.byCard(card);

    expect([status, data]).toMatchObject([200, { state: 'PAID', charge: { paymentMethod: 'PIX' } }]);
    expect(world.acquirer.book.ofCard(card)).toEqual([]);
    expect([await statuses(), await counts()]).toEqual([['PAID'], { usesTaken: 1, payments: 1 }]);
  });

  test('is charged once for a repeated token', async () => {
    const { buyer } = await world.visited();
    const card = world.newCard();
    const cardToken = world.acquirer.book.tokenize(card);

    const answers = [await buyer.byCard(card, { cardToken }), await buyer.byCard(card, { cardToken })];

    expect(answers.map(({ data }) => data)).toMatchObject(Array(2).fill({ state: 'PAID' }));
    expect(world.acquirer.book.ofCard(card)).toHaveLength(1);
  });

  test('leaves nothing to pay by Pix or by another card', async () => {
    const { buyer, link } = await world.visited({ uses: 5 });
    await buyer.byCard();
    const card = world.newCard();

    const answers = [await buyer.byPix(), await buyer.openForm(), await buyer.byCard(card)];

    expect(answers.map(({ data }) => data)).toMatchObject(Array(3).fill({ state: 'PAID' }));
    expect([await world.chargesOf(link.id), world.acquirer.book.ofCard(card)]).toMatchObject([[{}], []]);
  });
});

describe('a declined card', () => {
  test('leaves the form open and a new code possible', async () => {
    const { buyer, counts, statuses } = await world.visited();
    await buyer.openForm();

    const { status, error } = await buyer.byCard(declining());
    const form = await buyer.now();
    const pix = await buyer.byPix();

    expect([status, error?.code, error?.message]).toEqual([
      402,
      'CARD_DECLINED',
      'the card was declined: insufficient_funds',
    ]);
    expect(form).toMatchObject({ state: 'CARD_FORM', cardTriesLeft: 4, charge: { status: 'DECLINED' } });
    expect(pix.data).toMatchObject({ state: 'PIX', charge: { qrCode: expect.any(String) } });
    expect([await statuses(), await counts()]).toEqual([
      ['DECLINED', 'PENDING'],
      { usesTaken: 1, payments: 0 },
    ]);
  });

  test('five times disables cards for the visit; Pix stays', async () => {
    const { buyer, statuses } = await world.visited();
    for (let i = 0; i < 4; i += 1) await buyer.byCard(declining());

    const last = await Promise.all(Array.from({ length: 4 }, () => buyer.byCard(declining())));
    const sixth = await buyer.byCard();

    expect(last.map(({ status }) => status)).toContain(402);
    expect([sixth.status, sixth.error?.code]).toEqual([409, 'CARD_TRIES_USED']);
    expect((await buyer.openForm()).error?.code).toBe('CARD_TRIES_USED');
    expect(await statuses()).toEqual(Array(5).fill('DECLINED'));
    expect((await buyer.byPix()).data).toMatchObject({ state: 'PIX', cardTriesLeft: 0 });
  });

  test('with the same token again counts as one decline', async () => {
    const { buyer } = await world.visited();
    const card = declining();
    const cardToken = world.acquirer.book.tokenize(card);

    const answers = [await buyer.byCard(card, { cardToken }), await buyer.byCard(card, { cardToken })];

    expect(answers.map(({ error }) => error?.code)).toEqual(['CARD_DECLINED', 'CARD_DECLINED']);
    expect(await buyer.now()).toMatchObject({ cardTriesLeft: 4 });
  });
});

describe('a card after a provider failure', () => {
  test('blocks other payments, then pays the visit', async () => {
    const { link, buyer, counts } = await world.visited();
    world.acquirer.next('pay', doneThenReset);
    const card = world.newCard();
    const { status, error, headers } = await buyer.byCard(card);
    const unknown = await buyer.now();

    const [pix, form] = [await buyer.byPix(), await buyer.openForm()];
    const [{ id } = { id: '' }] = await world.chargesOf(link.id);
    await world.database.query(
      `UPDATE charges SET next_check_at = now(), lease_until = now() - interval '1 s' WHERE id = $1`,
      [id],
    );
    await eventually(async () => expect(await buyer.now()).toMatchObject({ state: 'PAID' }));

    expect([status, error?.code, headers.get('retry-after')]).toEqual([503, 'PROVIDER_UNAVAILABLE', '2']);
    expect(unknown).toMatchObject({ state: 'PROCESSING', charge: { paymentMethod: 'CARD' } });
    expect([pix, form].map((one) => [one.status, one.error?.code])).toEqual(
      Array(2).fill([503, 'PROVIDER_UNAVAILABLE']),
    );
    expect(await counts()).toEqual({ usesTaken: 1, payments: 1 });
    expect(await world.eventsOf(id)).toMatchObject([{ type: 'charge.paid', data: { checkoutId: buyer.id } }]);
    expect(world.acquirer.book.ofCard(card)).toHaveLength(1);
  });

  test('without an answer pays the visit; another card stays uncharged', async () => {
    const { buyer } = await world.visited();
    world.acquirer.next('pay', doneThenReset);
    await buyer.byCard();
    const other = world.newCard();

    await eventually(async () => expect((await buyer.byCard(other)).data).toMatchObject({ state: 'PAID' }));

    expect(world.acquirer.book.ofCard(other)).toEqual([]);
  });

  test('is not charged when the code’s removal failed', async () => {
    const { buyer, statuses, counts } = await world.visited();
    await buyer.byPix();
    world.provider.next('remove', reset);
    const card = world.newCard();

    expect(await codeOf(buyer.byCard(card))).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect([await statuses(), await counts()]).toEqual([['PENDING'], { usesTaken: 1, payments: 0 }]);
    expect(world.acquirer.book.ofCard(card)).toEqual([]);
    expect((await buyer.byCard(card)).data).toMatchObject({ state: 'PAID' });
  });
});
