import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { LOGO, startCheckoutWorld } from '../support/checkout-world.ts';
import { holdLock } from '../support/crashes.ts';

const world = worldOfFile(startCheckoutWorld);

describe('the page of a payment link', () => {
  test('shows the fields that a buyer needs and counts visits', async () => {
    const shop = world.newShop({ maxInstallments: 3 });
    const link = await world.newLink(shop, {
      logo: LOGO,
      color: '#123456',
      payerName: 'Ana',
      payerDocument: '12345678909',
    });

    const { data } = await world.page(link.slug);
    await world.page(link.slug);
    await world.page(link.slug, '?again=true');

    expect(data).toMatchObject({
      ...{
        slug: link.slug,
        status: 'OPEN',
        state: 'OPEN',
        amount: 2500,
        isPayerKnown: true,
        color: '#123456',
        logo: LOGO,
      },
      isJoinable: false,
      ...{ merchantCnpj: '34665388000161', merchantPhone: '11987654321' },
      ...{ merchantName: 'Loja da Maria', description: 'Pedido 1001', environment: 'sandbox' },
      methods: ['PIX', 'CARD'],
      card: { publicKey: 'pk_test_publica', tokenizeUrl: expect.any(String), maxInstallments: 3 },
      installments: [
        { count: 1, amount: 2500, firstAmount: 2500 },
        { count: 2, amount: 1250, firstAmount: 1250 },
        { count: 3, amount: 833, firstAmount: 834 },
      ],
      serverTime: expect.any(String),
    });
    expect(JSON.stringify(data)).not.toMatch(/Ana|123456789/);
    expect(await world.link(shop, link.id)).toMatchObject({ visits: 2, starts: 0 });
  });

  test('asks once for the contact that an older release’s copy lacks', async () => {
    const shop = world.newShop({ cnpj: undefined, phone: undefined });
    const link = await world.newLink(shop);
    const contact = async () => {
      const { merchantCnpj, merchantPhone } = Object((await world.page(link.slug)).data);
      return [merchantCnpj, merchantPhone];
    };
    const before = await contact();
    world.gateway.describe(shop.merchantId, {});
    const requests = world.gateway.requestedIds.length;

    expect([before, await contact()]).toEqual([
      [null, null],
      ['34665388000161', '11987654321'],
    ]);
    expect(await contact()).toEqual(['34665388000161', '11987654321']);
    expect(world.gateway.requestedIds.length - requests).toBe(1);
  });

  test('offers no card in production to an account without cards', async () => {
    const link = await world.newLink(world.newShop({ cardEnabled: false }, 'production'));

    expect((await world.page(link.slug)).data).toMatchObject({
      methods: ['PIX'],
      card: null,
      installments: null,
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['CLOSED', { isActive: false }],
    ['EXPIRED', { expiresAt: '2026-01-01' }],
  ])('has the state %s and refuses a visit', async (state, change) => {
    const shop = world.shop();
    const link = await world.newLink(shop);
    await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, change);

    const begun = await world.visit(link.slug);

    expect((await world.page(link.slug)).data).toMatchObject({ state });
    expect([begun.status, begun.error?.code]).toEqual([409, 'LINK_NOT_OPEN']);
  });

  test('is CLOSED while its merchant is suspended', async () => {
    const link = await world.newLink(world.newShop({ status: 'SUSPENDED' }));

    expect((await world.page(link.slug)).data).toMatchObject({ state: 'CLOSED' });
    expect((await world.visit(link.slug)).error?.code).toBe('LINK_NOT_OPEN');
  });

  test.each(['nothing', 'AAAAAAAAAAAAAAAA', '%00'])('is a 404 for an unknown link: %s', async (slug) => {
    expect([(await world.page(slug)).status, (await world.visit(slug)).status]).toEqual([404, 404]);
  });
});

describe('a visit', () => {
  test('may choose an amount within the link’s bounds', async () => {
    const link = await world.newLink(world.shop(), { amount: undefined, minAmount: 500, maxAmount: 900 });

    const answers = await Promise.all(
      [{}, { amount: 499 }, { amount: 901 }, { amount: 700 }].map((body) => world.visit(link.slug, body)),
    );

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 201]);
    expect(answers[3]?.data).toMatchObject({ amount: 700, state: 'OPEN', payerDocument: '***.456.789-**' });
  });

  test('needs a name and a document, unless the link has them', async () => {
    const shop = world.shop();
    const open = await world.newLink(shop);
    const named = await world.newLink(shop, { payerName: 'Ana', payerDocument: '12345678909' });
    const none = { payerName: undefined, payerDocument: undefined };

    expect((await world.visit(open.slug, none)).error?.message).toContain('payerName');
    expect((await world.visit(named.slug, none)).status).toBe(201);
  });

  test('returns to the shop with its id', async () => {
    const link = await world.newLink(world.shop(), { returnUrl: 'https://loja.example/x?a=1' });
    const buyer = await world.buyer(link.slug);

    expect((await buyer.now()).returnUrl).toBe(`https://loja.example/x?a=1&checkout=${buyer.id}`);
  });
});

const CROWD = 30;
const WAITING = `
  SELECT count(*)::integer AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%payment_links%'`;

test('many waiting buyers of a link use one database connection', async () => {
  const shop = world.newShop();
  const link = await world.newLink(shop);
  const buyers = await Promise.all(Array.from({ length: CROWD }, () => world.buyer(link.slug)));
  const lock = await holdLock(world.database, 'SELECT 1 FROM payment_links WHERE id = $1 FOR UPDATE', [
    link.id,
  ]);

  const starts = buyers.map((buyer) => buyer.byPix());
  await lock.isAwaited();
  const charge = await world.client.newCharge(shop);
  const [row] = await world.database.query<{ waiting: number }>(WAITING);
  await lock.release();
  const answers = await Promise.all(starts);

  expect(charge).toMatchObject({ status: 'PENDING' });
  expect(row?.waiting).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual(buyers.map(() => 200));
});
