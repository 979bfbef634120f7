import { describe, expect, test } from '@jest/globals';
import { withPixels } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { type CheckoutWorld, LOGO, sharedCheckoutWorld } from '../support/checkout-world.ts';

const world = worldOfFile(sharedCheckoutWorld);

const WEBP = `data:image/webp;base64,${btoa('RIFF0000WEBPVP8 ')}`;

/** Headers of images of 16,383 by 16,383 pixels. */
const LARGE_IMAGES = [
  ['jpeg', 'ffd8ffe00004000000ffffc2000b083fff3fff01011100ffda'],
  ['webp lossy', '524946461e0000005745425056503820120000003001009d012aff3fff3f'],
  ['webp lossless', '5249464612000000574542505650384c050000002ffebfff0f'],
  ['webp canvas', '524946461600000057454250565038580a00000000000000fe3f00fe3f00'],
] as const;

type Shop = ReturnType<CheckoutWorld['shop']>;

const change = (shop: Shop, logo: unknown) => world.callAs(shop, 'PATCH /v1/account/logo', { logo });

async function checkoutOf(shop: Shop): Promise<unknown> {
  const { id } = await world.client.newCharge(shop);
  return (await world.client.checkout(id)).data;
}

describe('the logo of an account', () => {
  test('is shown on charge, link and visit pages in both environments', async () => {
    const shop = world.shop();
    const link = await world.newLink(shop);
    const buyer = await world.buyer(link.slug);

    expect((await world.callAs(shop, 'GET /v1/account/logo')).data).toEqual({ logo: null });
    const { status, data } = await change({ ...shop, environment: 'production' }, LOGO);

    expect([status, data]).toEqual([200, { logo: LOGO }]);
    expect((await world.callAs(shop, 'GET /v1/account/logo')).data).toEqual({ logo: LOGO });
    expect(await checkoutOf(shop)).toMatchObject({ logo: LOGO, merchantName: 'Loja da Maria' });
    expect((await world.page(link.slug)).data).toMatchObject({ logo: LOGO });
    expect(await buyer.now()).toMatchObject({ logo: LOGO });
    expect(await world.link(shop, link.id)).toMatchObject({ logo: null });
  });

  test('is shown on the receipt', async () => {
    const shop = world.shop();
    await change(shop, LOGO);
    const buyer = await world.buyer((await world.newLink(shop)).slug);
    await buyer.byPix();
    await buyer.payCode();

    expect(await buyer.now()).toMatchObject({ state: 'PAID', logo: LOGO });
  });

  test('is replaced by a link’s logo while the link has one', async () => {
    const shop = world.shop();
    await change(shop, LOGO);
    const link = await world.newLink(shop, { logo: WEBP });
    const own = (await world.page(link.slug)).data;
    await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, { logo: null });

    expect(own).toMatchObject({ logo: WEBP });
    expect((await world.page(link.slug)).data).toMatchObject({ logo: LOGO });
  });

  test('changes on the next page and belongs to one merchant', async () => {
    const [shop, other] = [world.shop(), world.shop()];
    await change(shop, LOGO);
    await change(shop, WEBP);
    const changed = await checkoutOf(shop);
    await change(shop, null);
    await change(shop, null);

    expect(changed).toMatchObject({ logo: WEBP });
    expect([await checkoutOf(shop), await checkoutOf(other)]).toMatchObject([{ logo: null }, { logo: null }]);
  });

  test('is one whole image of several concurrent uploads', async () => {
    const shop = world.shop();

    const answers = await Promise.all([LOGO, WEBP, LOGO, WEBP].map((logo) => change(shop, logo)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { data } = await world.callAs(shop, 'GET /v1/account/logo');
    expect([{ logo: LOGO }, { logo: WEBP }]).toContainEqual(data);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an address', 'https://loja.example/logo.png'],
    ['a malformed image', `data:image/png;base64,${btoa('<svg onload=alert(1)>')}`],
    ['an image with a wrong type', LOGO.replace('png', 'jpeg')],
    [
      'an image with too many pixels',
      `data:image/png;base64,${withPixels(Buffer.from(LOGO.split(',')[1] ?? '', 'base64'), 4_001).toString('base64')}`,
    ],
    ...LARGE_IMAGES.map(([type, hex]): [string, string] => [
      `a ${type} image with too many pixels`,
      `data:image/${type.replace(/ .*/, '')};base64,${Buffer.from(hex, 'hex').toString('base64')}`,
    ]),
    ['an image with scripts', `data:image/svg+xml;base64,${btoa('<svg/>')}`],
    ['an image that is too large', `${LOGO.slice(0, 40)}${'A'.repeat(87_400)}`],
  ])('does not become %s; the earlier one stays', async (_what, logo) => {
    const shop = world.shop();
    await change(shop, LOGO);

    const { status, error } = await change(shop, logo);

    expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error?.message).toContain('logo:');
    expect((await world.callAs(shop, 'GET /v1/account/logo')).data).toEqual({ logo: LOGO });
  });
});

describe('the logo of a link', () => {
  test('is limited to a hundred links of an account', async () => {
    const shop = world.shop();
    const create = (logo?: string) =>
      world.callAs(shop, 'POST /v1/payment-links', { description: 'Pedido', amount: 2500, logo });
    const links: { id: string }[] = [];
    while (links.length < 100) links.push(await world.newLink(shop, { logo: LOGO }));
    const plain = await world.newLink(shop);

    const refused = await create(LOGO);
    const changed = await world.callAs(shop, `PATCH /v1/payment-links/${plain.id}`, { logo: LOGO });
    const replaced = await world.callAs(shop, `PATCH /v1/payment-links/${links[0]?.id}`, { logo: WEBP });
    await world.callAs(shop, `PATCH /v1/payment-links/${links[0]?.id}`, { logo: null });

    expect([refused, changed].map(({ status, error }) => [status, error?.code])).toEqual([
      [422, 'LOGO_LIMIT_REACHED'],
      [422, 'LOGO_LIMIT_REACHED'],
    ]);
    expect(replaced.status).toBe(200);
    expect((await create(LOGO)).status).toBe(201);
    expect(
      (
        await world.callAs({ ...shop, environment: 'production' }, 'POST /v1/payment-links', {
          description: 'x',
          amount: 100,
          logo: LOGO,
        })
      ).status,
    ).toBe(201);
  });
});
