import { describe, expect, test } from '@jest/globals';
import { qrImageDataUri } from '@plataforma/brcode';
import { api } from '@plataforma/contracts';
import { worldOfFile } from '@plataforma/testing/world';
import { LOGO, sharedCheckoutWorld } from '../support/checkout-world.ts';
import { newTenant } from '../support/identity.ts';

const world = worldOfFile(sharedCheckoutWorld);

describe('a payment link', () => {
  test('is created with an address for buyers', async () => {
    const shop = world.shop();

    const link = await world.newLink(shop, {
      uses: 1,
      externalId: 'order-1',
      returnUrl: 'https://loja.example/x?a=1',
    });

    expect(link).toMatchObject({
      url: `https://pagar.example/pay/l/${link.slug}`,
      ...{
        status: 'ACTIVE',
        isActive: true,
        amount: 2500,
        minAmount: null,
        methods: ['PIX', 'CARD'],
        uses: 1,
      },
      ...{ usesTaken: 0, visits: 0, starts: 0, payments: 0, externalId: 'order-1', environment: 'sandbox' },
    });
    expect(link.slug).toMatch(/^[\w-]{16}$/);
    expect(link.qrCodeBase64).toBe(qrImageDataUri(String(link.url)));
    expect(await world.link(shop, link.id)).toEqual(link);
  });

  test.each([
    ['production', false, { methods: ['PIX', 'CARD'] }, 'CARD_NOT_ENABLED'],
    ['production', false, { methods: ['CARD'] }, 'CARD_NOT_ENABLED'],
    ['production', false, { methods: ['PIX'] }, 201],
    ['production', false, {}, 201],
    ['production', true, { methods: ['PIX', 'CARD'] }, 201],
    ['sandbox', false, { methods: ['CARD'] }, 201],
  ] as const)(
    'in %s with cardEnabled %j and the fields %j answers %s',
    async (environment, cardEnabled, fields, code) => {
      const shop = world.newShop({ cardEnabled }, environment);

      const { status, error } = await world.callAs(shop, 'POST /v1/payment-links', {
        ...{ description: 'Pedido', amount: 2500 },
        ...fields,
      });

      expect(error?.code ?? status).toBe(code);
    },
  );

  test('cleans the payer’s name as a charge does', async () => {
    const payer = { payerName: ' <Ana>\u0000  da  Silva! ', payerDocument: '12345678909' };

    expect((await world.newLink(world.shop(), payer)).payerName).toBe('Ana da Silva');
    const { status } = await world.callAs(world.shop(), 'POST /v1/payment-links', {
      ...{ description: 'Pedido', amount: 2500 },
      ...{ ...payer, payerName: '!!' },
    });
    expect(status).toBe(400);
  });

  test('is listed to its merchant only, newest first, without images', async () => {
    const shop = world.shop();
    const first = await world.newLink(shop, { logo: LOGO });
    const second = await world.newLink(shop);

    const listed = await world.callAs(shop, 'GET /v1/payment-links');
    const others = await world.callAs(newTenant(), 'GET /v1/payment-links');
    const stranger = await world.callAs(newTenant(), `GET /v1/payment-links/${first.id}`);

    const bare = ({ logo: _logo, qrCodeBase64: _code, buyerUrl: _url, ...rest }: typeof first) => rest;
    expect(listed.data).toEqual([bare(second), bare(first)]);
    expect([others.data, stranger.status]).toEqual([[], 404]);
  });

  test('can be changed and deactivated, except for its amount', async () => {
    const shop = world.shop();
    const link = await world.newLink(shop);

    const change = { isActive: false, description: 'Outra coisa', uses: 7, color: '#FF0000', amount: 1 };
    const { status, data } = await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, change);

    expect([status, data]).toMatchObject([
      200,
      {
        ...{ ...link, isActive: false, status: 'INACTIVE', description: 'Outra coisa', uses: 7 },
        ...{ checkoutColor: '#ff0000', color: '#ff0000' },
      },
    ]);
    expect((await world.callAs(shop, 'GET /v1/payment-links?isActive=true')).data).toEqual([]);
  });

  test.each(['checkoutColor', 'color'])('accepts its colour as %s and shows both names', async (name) => {
    const shop = world.shop();
    const [red, blue] = ['#ff0000', '#0000ff'];

    const link = await world.newLink(shop, { [name]: red });
    const page = await world.page(link.slug);
    const path = `PATCH /v1/payment-links/${link.id}`;
    const changed = await world.callAs(shop, path, { [name]: blue });
    const untouched = await world.callAs(shop, path, { description: 'Outra coisa' });
    const without = await world.callAs(shop, path, { [name]: null });

    const both = (color: string | null) => ({ checkoutColor: color, color });
    expect([link, page.data]).toMatchObject([both(red), both(red)]);
    expect([changed, untouched, without].map(({ data }) => data)).toMatchObject([blue, blue, null].map(both));
  });

  test('is found by its status', async () => {
    const shop = world.shop();
    const over = { expiresAt: '2026-01-01' };
    const [active, off, expired, paid] = await Promise.all(
      [{ uses: 2, expiresAt: '2036-01-01' }, over, over, { uses: 1 }].map((fields) =>
        world.newLink(shop, fields),
      ),
    );
    const open = await world.newLink(shop);
    const buyer = await world.buyer(paid?.slug ?? '');
    await buyer.byPix();
    await buyer.payCode();
    const change = { isActive: false, ...over };
    for (const link of [off, paid]) await world.callAs(shop, `PATCH /v1/payment-links/${link?.id}`, change);

    const found = async (status: string) => {
      const { data } = await world.callAs(shop, `GET /v1/payment-links?status=${status}`);
      return api.listPaymentLinks.data
        .array()
        .parse(data)
        .map((link) => [link.id, link.status]);
    };

    expect(await found('ACTIVE')).toEqual([
      [open.id, 'ACTIVE'],
      [active?.id, 'ACTIVE'],
    ]);
    expect(await found('INACTIVE')).toEqual([[off?.id, 'INACTIVE']]);
    expect(await found('EXPIRED')).toEqual([[expired?.id, 'EXPIRED']]);
    expect(await found('USED_UP')).toEqual([[paid?.id, 'USED_UP']]);
  });

  test('loses fields set to null, except an order’s one use', async () => {
    const shop = world.shop();
    const fields = { uses: 2, expiresAt: '2036-01-01', returnUrl: 'https://loja.example', color: '#123456' };
    const link = await world.newLink(shop, { ...fields, logo: LOGO });
    const order = await world.newLink(shop, { uses: 1, externalId: `pedido-${Date.now()}` });

    const none = {
      uses: null,
      expiresAt: null,
      returnUrl: null,
      checkoutColor: null,
      color: null,
      logo: null,
    };
    const change = { ...none, description: null };
    const { data } = await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, change);
    const refused = await world.callAs(shop, `PATCH /v1/payment-links/${order.id}`, { uses: null });

    expect(data).toEqual({ ...link, ...none });
    expect([refused.status, refused.error?.code]).toEqual([409, 'INVALID_STATE']);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a fixed amount with bounds', { minAmount: 500 }, 'amount:'],
    ['inverted bounds', { amount: undefined, minAmount: 900, maxAmount: 800 }, 'minAmount:'],
    ['one order with several uses', { externalId: 'order-1', uses: 2 }, 'externalId:'],
    ['an incomplete payer', { payerName: 'Maria' }, 'payerDocument:'],
    ['a malformed image', { logo: `data:image/png;base64,${btoa('<svg onload=alert(1)>')}` }, 'logo:'],
    ['a return address without a host', { returnUrl: 'https:x' }, 'returnUrl:'],
  ])('is refused with %s', async (_what, fields, field) => {
    const body = { description: 'Pedido', amount: 2500, ...fields };
    const { status, error } = await world.callAs(world.shop(), 'POST /v1/payment-links', body);

    expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error?.message).toContain(field);
  });
});

test('a link expires at midnight in its account’s time zone', async () => {
  const shop = { ...world.shop(), timeZone: 'America/Manaus' };
  const { id, expiresAt } = await world.newLink(shop, { expiresAt: '2036-01-01' });
  await world.callAs(shop, `PATCH /v1/payment-links/${id}`, { expiresAt: '2036-02-01' });

  expect(expiresAt).toBe('2036-01-02T04:00:00.000Z');
  expect((await world.link(shop, id)).expiresAt).toBe('2036-02-02T04:00:00.000Z');
  const old = await world.newLink(world.shop(), { expiresAt: '2036-01-01' });
  expect(old.expiresAt).toBe('2036-01-02T00:00:00.000Z');
});
