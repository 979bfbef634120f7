import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { type CheckoutWorld, startCheckoutWorld } from '../support/checkout-world.ts';
import { codeOf, newOrder } from '../support/client.ts';

const world = worldOfFile(() => startCheckoutWorld({ tuning: { scheduleEveryMs: 20, leaseMs: 300 } }));

type Buyer = Awaited<ReturnType<CheckoutWorld['buyer']>>;
type Way = 'PIX' | 'CARD';

const BUYER = '52998224725';

async function twoBuyers(fields: Record<string, unknown> = {}) {
  const shop = world.shop();
  const link = await world.newLink(shop, { uses: 1, ...fields });
  const visits = [await world.buyer(link.slug), await world.buyer(link.slug, { payerDocument: BUYER })];
  return { shop, link, visits };
}

/**
 * Pays by card, or pays the Pix code that the visit already shows. The callback about a Pix arrives twice.
 */
async function pay(buyer: Buyer, way: Way): Promise<void> {
  if (way === 'CARD') return void (await buyer.byCard());
  const txid = await buyer.txid();
  world.provider.book.pay(txid, { insists: true });
  await Promise.all([world.client.notify(txid), world.client.notify(txid)]);
}

async function moneyOf(linkId: string) {
  const charges = await world.chargesOf(linkId);
  const cards = charges.flatMap(({ id }) => world.acquirer.book.ofOrder(id)).map(({ status }) => status);
  const late = await world.database.query<{ id: string; cause: string; status: string }>(
    `SELECT u.id, cause, u.status FROM unexpected_payments u JOIN charges c ON c.id = u.charge_id
     WHERE payment_link_id = $1`,
    [linkId],
  );
  return { charges, cards, late };
}

describe('strangers without payments', () => {
  test('leave a link of 20 uses open despite 40 reservations', async () => {
    const shop = world.shop();
    const link = await world.newLink(shop, { uses: 20 });
    for (let i = 0; i < 40; i += 1) {
      const stranger = await world.buyer(link.slug, { payerDocument: world.documentOf(i) });
      expect((await (i % 2 ? stranger.byPix() : stranger.openForm())).status).toBe(200);
    }

    const { data: page } = await world.page(link.slug);
    const buyer = await world.buyer(link.slug, { payerDocument: BUYER });
    await buyer.byPix();
    await buyer.payCode();

    expect(page).toMatchObject({ status: 'OPEN' });
    expect(await buyer.now()).toMatchObject({ status: 'PAID' });
    expect(await world.link(shop, link.id)).toMatchObject({ usesTaken: 20, payments: 1, status: 'ACTIVE' });
  });

  test('leave a link open despite a reservation by release 0.6.0', async () => {
    const { link, visits } = await twoBuyers();
    const [old, buyer] = visits;
    await world.database.query('UPDATE payment_links SET taken = 1 WHERE id = $1', [link.id]);
    await world.database.query(
      `UPDATE checkouts SET use = 'HELD', held_since = now(), card_form_until = now() + interval '1 min',
         due_at = now() + interval '1 min' WHERE id = $1`,
      [old?.id],
    );

    await buyer?.byPix();
    await buyer?.payCode();

    expect(await buyer?.now()).toMatchObject({ status: 'PAID' });
  });
});

describe.each<[string, Record<string, unknown>]>([
  ['one use', {}],
  ['one order', { externalId: 'an order' }],
])('two buyers of a link of %s', (_what, fields) => {
  const ownFields = () => (fields.externalId ? { externalId: `pedido-${randomUUID()}` } : {});

  test.each<[Way, Way]>([
    ['PIX', 'PIX'],
    ['PIX', 'CARD'],
    ['CARD', 'PIX'],
    ['CARD', 'CARD'],
  ])('pay by %s and %s at once; one gets its money back', async (...ways) => {
    const { shop, link, visits } = await twoBuyers(ownFields());
    const begun = await Promise.all(
      visits.map((buyer, i) => (ways[i] === 'PIX' ? buyer.byPix() : buyer.openForm())),
    );

    await Promise.all(visits.map((buyer, i) => pay(buyer, ways[i] ?? 'PIX')));

    expect(begun.map(({ status }) => status)).toEqual([200, 200]);
    await eventually(async () => {
      const { charges, cards, late } = await moneyOf(link.id);
      const paid = charges.filter(({ status }) => status === 'PAID');
      const paidCards = cards.filter((status) => status === 'paid');
      expect(paid).toHaveLength(1);
      expect(charges.map(({ status }) => status)).not.toContain('PENDING');
      const byPix = charges.filter(({ txid }) => world.provider.book.find(txid)?.payments.length);
      expect(byPix.length + paidCards.length - late.length).toBe(1);
      expect(late.map(({ cause, status }) => [cause, status])).toEqual(late.map(() => ['LATE', 'RETURNED']));
      for (const { id } of late) {
        const types = (await world.eventsOf(id)).map(({ type, sequence }) => `${type} ${sequence}`);
        expect(types.sort()).toEqual([
          ...['payment.unexpected 1', 'payment.unexpected 2'],
          ...['unexpected_payment.received 1', 'unexpected_payment.returned 2'],
        ]);
      }
      expect(await world.link(shop, link.id)).toMatchObject({ usesTaken: 1, payments: 1, status: 'USED_UP' });
      for (const { id, status } of charges) {
        const types = (await world.eventsOf(id)).map(({ type }) => type);
        expect(types).toEqual(status === 'PAID' ? ['charge.paid'] : []);
      }
    });
  });
});

test('a card approved after the link’s last use is voided', async () => {
  const { link, visits } = await twoBuyers();
  const [first, second] = visits;
  if (!first || !second) throw new Error('there are two');
  await second.openForm();
  const card = world.newCard();
  world.acquirer.next('pay', async (perform) => {
    await first.byPix();
    await first.payCode();
    return perform();
  });

  expect(await codeOf(second.byCard(card))).toEqual([409, 'NO_USES_LEFT']);
  await eventually(() =>
    expect(world.acquirer.book.ofCard(card).map((each) => each.status)).toEqual(['canceled']),
  );
  expect((await moneyOf(link.id)).charges.map((each) => each.status).sort()).toEqual(['DECLINED', 'PAID']);
});

test('release 0.6.0 cannot record more payments than a link’s uses', async () => {
  const { link } = await twoBuyers();
  const record = (payments: number) =>
    world.database.query('UPDATE payment_links SET taken = $2, paid = $2 WHERE id = $1', [link.id, payments]);
  await record(1);

  await expect(record(2)).rejects.toThrow('payment_links');
});

test('a used-up link removes the codes of its other visits', async () => {
  const { visits } = await twoBuyers();
  const [first, second] = visits;
  for (const buyer of visits) await buyer.byPix();
  const txid = (await second?.txid()) ?? '';

  await first?.payCode();

  await eventually(() =>
    expect(world.provider.book.find(txid)?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR'),
  );
  await eventually(async () => expect((await second?.now())?.charge).toMatchObject({ status: 'CANCELLED' }));
  expect(await second?.now()).toMatchObject({ linkStatus: 'USED_UP', status: 'OPEN' });
  const again = [await second?.byPix(), await second?.openForm(), await second?.byCard()];
  expect(again.map((each) => each?.error?.code)).toEqual(Array(3).fill('NO_USES_LEFT'));
});

test('an order in payment by its link cannot be charged directly', async () => {
  const externalId = `pedido-${randomUUID()}`;
  const { shop, link, visits } = await twoBuyers({ externalId });
  for (const buyer of visits) await buyer.byPix();

  const { status, error } = await world.client.create(shop, newOrder({ externalId, amount: 999 }));

  expect([status, error?.code]).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
  expect((await moneyOf(link.id)).charges).toHaveLength(2);
});

test('a link and a direct order at once leave one charge', async () => {
  for (let round = 0; round < 50; round += 1) {
    const externalId = `pedido-${randomUUID()}`;
    const { shop, visits } = await twoBuyers({ externalId });

    const answers = await Promise.all([
      visits[0]?.byPix(),
      world.client.create(shop, newOrder({ externalId, amount: 999 })),
    ]);

    const living = await world.database.query(
      "SELECT id FROM charges WHERE external_id = $1 AND status = 'PENDING'",
      [externalId],
    );
    expect(living).toHaveLength(1);
    expect(answers.filter((answer) => answer?.error?.code === 'EXTERNAL_ID_CONFLICT')).toHaveLength(1);
  }
});
