import { describe, expect, test } from '@jest/globals';
import { eventually, reset } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedCheckoutWorld } from '../support/checkout-world.ts';

const world = worldOfFile(sharedCheckoutWorld);

async function visited(fields?: Record<string, unknown>) {
  const story = await world.visited(fields);
  return { ...story, taken: async () => (await story.counts()).usesTaken };
}

/** Moves the reservation of a card form into the past. */
async function letPass(id: string, minutes: number): Promise<void> {
  await world.database.query(
    `UPDATE checkouts SET held_since = held_since - $2 * interval '1 min',
       card_form_until = card_form_until - $2 * interval '1 min', due_at = due_at - $2 * interval '1 min'
     WHERE id = $1`,
    [id, minutes],
  );
}

describe('an open card form', () => {
  test('reserves its use for at most half an hour', async () => {
    const { buyer } = await visited();
    await buyer.openForm();
    const until = async () => Date.parse((await buyer.now()).cardFormUntil ?? '') - Date.now();
    const lengths = [];

    for (let nine = 0; nine < 3; nine += 1) {
      await letPass(buyer.id, 9);
      await buyer.openForm();
      lengths.push(Math.round((await until()) / 60_000));
    }
    await buyer.byCard(world.newCard({ fate: 'failed', returnCode: '51' }));

    expect(lengths).toEqual([10, 10, 3]);
    expect(Math.round((await until()) / 60_000)).toBe(3);
  });

  test('releases its use afterwards and may reserve it again', async () => {
    const { buyer, taken } = await visited();
    await buyer.openForm();
    await letPass(buyer.id, 30);

    await eventually(async () => expect(await taken()).toBe(0));
    await buyer.openForm();

    expect(Date.parse((await buyer.now()).cardFormUntil ?? '')).toBeGreaterThan(Date.now() + 9 * 60_000);
    expect(await taken()).toBe(1);
  });

  test('accepts a card after more than half an hour', async () => {
    const { buyer, taken } = await visited();
    await buyer.openForm();
    await letPass(buyer.id, 40);
    await eventually(async () => expect(await taken()).toBe(0));

    const paid = await buyer.byCard();

    expect([paid.data, await taken()]).toMatchObject([{ state: 'PAID' }, 1]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['switched off', { isActive: false }],
    ['over', { expiresAt: '2026-01-01' }],
  ])('is not extended on a link that is %s, but pays', async (_what, change) => {
    const { shop, link, buyer, taken } = await visited();
    await buyer.openForm();
    await letPass(buyer.id, 4);
    const { cardFormUntil } = await buyer.now();
    await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, change);

    const again = await buyer.openForm();
    const paid = await buyer.byCard();

    expect(again.data).toMatchObject({ state: 'CARD_FORM', cardFormUntil });
    expect([paid.data, await taken()]).toMatchObject([{ state: 'PAID' }, 1]);
  });

  test('becomes a code on a deactivated link', async () => {
    const { shop, link, buyer, taken } = await visited();
    await buyer.openForm();
    await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, { isActive: false });

    const code = await buyer.byPix();

    expect([code.data, await taken()]).toMatchObject([{ state: 'PIX' }, 1]);
  });

  test('is not exchanged for a second code on a deactivated link', async () => {
    const { shop, link, buyer, taken } = await visited();
    await buyer.byPix();
    await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, { isActive: false });
    await buyer.openForm();
    await world.letTimeRunOut((await buyer.now()).charge?.id ?? '');
    await eventually(async () => expect(await buyer.now()).toMatchObject({ state: 'CARD_FORM' }));
    const { cardFormUntil } = await buyer.now();

    const [code, form] = [await buyer.byPix(), await buyer.openForm()];
    const reserved = await taken();
    await letPass(buyer.id, 10);

    expect([code.status, code.error?.code]).toEqual([409, 'LINK_NOT_OPEN']);
    expect([form.data, reserved]).toMatchObject([{ state: 'CARD_FORM', cardFormUntil }, 1]);
    await eventually(async () => expect(await taken()).toBe(0));
    expect(await world.chargesOf(link.id)).toHaveLength(1);
  });

  test('accepts no card after closing on a deactivated link', async () => {
    const { shop, link, buyer } = await visited();
    await buyer.openForm();
    await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, { isActive: false });
    await letPass(buyer.id, 10);

    const [form, card] = [await buyer.openForm(), await buyer.byCard()];

    expect([form, card].map(({ error }) => error?.code)).toEqual(Array(2).fill('LINK_NOT_OPEN'));
    expect(await world.chargesOf(link.id)).toEqual([]);
  });

  test.each(['SUSPENDED', 'REJECTED'])('accepts no card once the account is %s', async (status) => {
    const { shop, link, buyer } = await visited();
    await buyer.openForm();
    await world.database.query(
      `UPDATE merchants SET snapshot = snapshot || jsonb_build_object('status', $2::text) WHERE id = $1`,
      [shop.merchantId, status],
    );

    const [form, card] = [await buyer.openForm(), await buyer.byCard()];

    expect([form, card].map(({ error }) => error?.code)).toEqual(Array(2).fill('LINK_NOT_OPEN'));
    expect(await world.chargesOf(link.id)).toEqual([]);
  });
});

describe('a card', () => {
  test('is refused with installments that the visit does not offer', async () => {
    const { link, buyer } = await visited({ amount: 250 });

    const { status, error } = await buyer.byCard(world.newCard(), { installments: 3 });

    expect((await buyer.now()).installments?.map(({ count }) => count)).toEqual([1, 2]);
    expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error?.message).toContain('installments:');
    expect(await world.chargesOf(link.id)).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['of another number', { installments: 3 }],
    ['with the same token on other terms', { installments: 2 }],
    ['with the same token of another holder', { installments: 3, payerName: 'Outra Pessoa' }],
  ])('%s is not charged on the terms of a lost payment', async (what, changes) => {
    const { link, buyer } = await visited();
    const [first, other] = [world.newCard(), world.newCard()];
    const cardToken = world.acquirer.book.tokenize(first);
    world.acquirer.next('pay', reset);
    await buyer.byCard(first, { cardToken, installments: 3 });
    const same = what.includes('same token') ? { cardToken } : {};
    const [{ id } = { id: '' }] = await world.chargesOf(link.id);
    await world.database.query('UPDATE charges SET next_check_at = now() WHERE id = $1', [id]);

    const { status, error, headers } = await buyer.byCard(other, { ...changes, ...same });

    expect([status, error?.code, headers.get('retry-after')]).toEqual([503, 'PROVIDER_UNAVAILABLE', '2']);
    expect([first, other].flatMap((card) => world.acquirer.book.ofCard(card))).toEqual([]);
    await eventually(async () => {
      const again = await buyer.byCard(first, { cardToken, installments: 3 });
      expect(again.data).toMatchObject({ state: 'PAID', charge: { installments: 3 } });
    });
    expect(world.acquirer.book.ofCard(first)).toHaveLength(1);
  });
});

test('a disputed visit shows the disputed amount and its time', async () => {
  const { buyer } = await visited();
  await buyer.byCard();
  const { charge } = await buyer.now();

  const notice = { chargeId: charge?.id, amount: 1000, reason: 'FRAUD', description: 'not theirs' };
  await world.operate('/disputes', notice);

  expect(await buyer.now()).toMatchObject({
    state: 'DISPUTED',
    charge: { disputedAmount: 1000, disputedAt: expect.any(String) },
  });
  expect(charge).toMatchObject({ disputedAmount: null, disputedAt: null });
});
