import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { LOGO, sharedCheckoutWorld } from '../support/checkout-world.ts';

const world = worldOfFile(sharedCheckoutWorld);

test('a form sent several times begins one visit', async () => {
  const shop = world.shop();
  const { id: linkId, slug } = await world.newLink(shop, { uses: 5 });
  const id = randomUUID();

  const answers = await Promise.all([1, 2, 3].map(() => world.visit(slug, { id })));
  const again = await world.visit(slug, { id });

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  expect([...answers, again].map(({ data }) => data)).toEqual(Array(4).fill(expect.objectContaining({ id })));
  expect((await world.link(shop, linkId)).starts).toBe(1);
});

test('a visit’s id in capital letters is the same id', async () => {
  const { slug } = await world.newLink(world.shop(), { uses: 5 });
  const id = randomUUID();

  const answers = [await world.visit(slug, { id: id.toUpperCase() }), await world.visit(slug, { id })];

  expect(answers.map(({ status, data }) => [status, Object(data).id])).toEqual([
    [201, id],
    [200, id],
  ]);
});

test('a visit’s id serves no other buyer and no other link', async () => {
  const shop = world.shop();
  const [one, other] = [await world.newLink(shop), await world.newLink(shop)];
  const id = randomUUID();
  await world.visit(one.slug, { id });

  const answers = [
    await world.visit(one.slug, { id, payerDocument: world.documentOf(7) }),
    await world.visit(other.slug, { id }),
  ];

  const refused = { status: 409, error: expect.objectContaining({ code: 'IDEMPOTENCY_CONFLICT' }) };
  expect(answers).toEqual([expect.objectContaining(refused), expect.objectContaining(refused)]);
});

test('only a prefixed visit id becomes an externalId', async () => {
  const shop = world.shop();
  const externalIdAt = async (fields: object, id: string) => {
    const { id: linkId, slug } = await world.newLink(shop, { ...fields });
    await (await world.buyer(slug, { id })).byCard();
    const { data } = await world.callAs(shop, `GET /v1/charges?paymentLinkId=${linkId}`);
    return Object(data)[0].externalId;
  };
  const [id, other] = [randomUUID(), randomUUID()];

  expect(await externalIdAt({ externalIdPrefix: 'aula-' }, id)).toBe(`aula-${id.replaceAll('-', '')}`);
  const alone = await externalIdAt({}, other);
  expect(alone).toMatch(/^[0-9a-f]{32}$/);
  expect(alone).not.toBe(other.replaceAll('-', ''));
});

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
