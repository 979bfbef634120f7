import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedCheckoutWorld } from '../support/checkout-world.ts';

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
