import { beforeAll, expect, test } from '@jest/globals';
import { eventually, merchantUpdated, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, startEmitter, worldOfFile } from '@plataforma/testing/world';
import { type Buyer, startCheckoutWorld } from '../support/checkout-world.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() => startCheckoutWorld({ settings: { METRICS_PORT: String(scraper.port) } }));
const gateway = beforeFile(() => startEmitter(world.brokerUrl));

beforeAll(() => world.stopFirst(gateway));

const VISITS = 16;
const A_VISIT = 5;
const ADDRESSES = 11;
const declining = () => world.newCard({ fate: 'failed', returnCode: '51' });

/** Returns the number of a caller's network. Different arguments give networks in different /48 ranges. */
const networkOf = (number: number) => number * 2 ** 15;

/** Pays with a card that the acquirer declines. Repeats the payment while a busy service answers 503. */
async function decline(buyer: Pick<Buyer, 'byCard'>): Promise<void> {
  await eventually(async () => expect((await buyer.byCard(declining())).status).toBe(402));
}

/** Tries stolen card numbers at a link, as a stranger with eleven addresses would in many visits. */
async function tryOut(slug: string): Promise<void> {
  const visit = async (number: number) => {
    const group = networkOf(number % ADDRESSES);
    const from = { payerDocument: world.documentOf(number), group };
    const buyer = await world.buyer(slug, from);
    for (let tries = 0; tries < A_VISIT; tries += 1) await decline(buyer);
  };
  await Promise.all(Array.from({ length: VISITS }, (_, i) => visit(i)));
}

/** Moves the card charges of a link into the past. */
async function letPass(linkId: string, minutes: number): Promise<void> {
  await world.database.query(
    `UPDATE charges SET created_at = created_at - $2 * interval '1 min' WHERE payment_link_id = $1`,
    [linkId, minutes],
  );
}

test('many declines at a link pause its cards for their networks', async () => {
  const shop = world.shop();
  const link = await world.newLink(shop);
  const elsewhere = await world.newLink(shop);
  const early = await world.buyer(link.slug, { payerDocument: world.documentOf(98), group: networkOf(1) });
  await early.openForm();
  await tryOut(link.slug);
  const late = await world.buyer(link.slug, { payerDocument: world.documentOf(99), group: networkOf(0) });
  const charges = await world.chargesOf(link.id);

  const answers = [await late.openForm(), await late.byCard(), await early.byCard()];

  expect(charges).toHaveLength(VISITS * A_VISIT);
  expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
    Array(3).fill([409, 'CARDS_PAUSED']),
  );
  expect(await world.chargesOf(link.id)).toHaveLength(VISITS * A_VISIT);
  expect((await late.byPix()).data).toMatchObject({ state: 'PIX' });
  expect((await (await world.buyer(elsewhere.slug)).byCard()).data).toMatchObject({ state: 'PAID' });
  const shown = await scraper.scrape();
  const paused = (step: string) => shown.valueOf('plataforma_checkout_cards_paused_total', { step });
  expect([paused('form'), paused('payment')]).toEqual([1, 2]);

  await letPass(link.id, 16);
  expect((await early.byCard()).data).toMatchObject({ state: 'PAID' });
});

test('in a sandbox the pause of cards follows its clock', async () => {
  const shop = world.shop();
  const movedTo = async (days: number, version: number) => {
    const sandboxAheadMs = days * 86_400_000;
    await gateway.announce(merchantUpdated(shop.merchantId, { sandboxAheadMs, version }));
    const sql = 'SELECT FROM sandbox_clocks WHERE merchant_id = $1 AND ahead_ms = $2';
    await eventually(async () =>
      expect(await world.database.query(sql, [shop.merchantId, sandboxAheadMs])).toHaveLength(1),
    );
  };
  await movedTo(30, 2);
  const link = await world.newLink(shop);
  await tryOut(link.slug);
  const late = await world.buyer(link.slug, { payerDocument: world.documentOf(99), group: networkOf(0) });
  expect((await late.byCard()).error).toMatchObject({ code: 'CARDS_PAUSED' });

  await movedTo(31, 3);

  expect((await late.openForm()).error).toBeUndefined();
  expect((await late.byCard()).data).toMatchObject({ state: 'PAID' });
});

test('declines from eleven addresses do not pause other buyers’ cards', async () => {
  const link = await world.newLink(world.shop());
  const begun = await world.buyer(link.slug, { group: networkOf(98) });
  await begun.openForm();
  await tryOut(link.slug);
  const [buyer, ofEarlierRelease] = [
    await world.buyer(link.slug, { group: networkOf(99) }),
    await world.buyer(link.slug),
  ];

  const declined = [await buyer.byCard(declining()), await buyer.byCard(declining())];
  const forms = [await buyer.openForm(), await ofEarlierRelease.openForm()];
  const paid = [await begun.byCard(), await buyer.byCard(), await ofEarlierRelease.byCard()];

  expect([...declined, ...forms].map(({ status }) => status)).toEqual([402, 402, 200, 200]);
  expect(paid.map(({ data }) => data)).toMatchObject(Array(3).fill({ state: 'PAID' }));
});

test('a paused network cannot pay in another network’s visit', async () => {
  const link = await world.newLink(world.shop());
  await tryOut(link.slug);
  const begun = await world.buyer(link.slug, { group: networkOf(98) });
  const ofEarlierRelease = await world.buyer(link.slug);

  const paused = [begun, ofEarlierRelease].map((visit) => visit.from(networkOf(0)));
  const answers = [];
  for (const buyer of paused) answers.push(await buyer.openForm(), await buyer.byCard());
  const free = await begun.from(networkOf(97)).byCard();

  expect(answers.map(({ error }) => error?.code)).toEqual(Array(4).fill('CARDS_PAUSED'));
  expect(free.data).toMatchObject({ state: 'PAID' });
});

test('a network may have three declines, plus four per payment', async () => {
  const link = await world.newLink(world.shop());
  await tryOut(link.slug);
  const visits = await Promise.all(
    Array.from({ length: 4 }, () => world.buyer(link.slug, { group: networkOf(50) })),
  );
  const [first, second, third, fourth] = visits;

  const answers = [await first?.byCard()];
  for (const buyer of [second, second, second, third, third]) answers.push(await buyer?.byCard(declining()));
  answers.push(await fourth?.openForm());

  expect(answers.map((answer) => answer?.status)).toEqual([200, 402, 402, 402, 402, 402, 409]);
  expect(answers.at(-1)?.error?.code).toBe('CARDS_PAUSED');
});

test('paying buyers and invalid tokens do not pause a link', async () => {
  const link = await world.newLink(world.shop());
  for (let i = 0; i < 20; i += 1) {
    const buyer = await world.buyer(link.slug, { payerDocument: world.documentOf(100 + i) });
    await buyer.byCard();
  }
  await tryOut(link.slug);
  const other = await world.newLink(world.shop());
  await tryOut(other.slug);
  await world.database.query(
    "UPDATE charges SET decline_reason = 'invalid_card_token' WHERE payment_link_id = $1",
    [other.id],
  );

  const buyers = await Promise.all(
    [link, other].map(({ slug }) => world.buyer(slug, { group: networkOf(0) })),
  );

  expect((await buyers[0]?.byCard())?.data).toMatchObject({ state: 'PAID' });
  expect((await buyers[1]?.byCard())?.data).toMatchObject({ state: 'PAID' });
});

/** Begins several visits from different networks, and has one card declined in each visit. */
async function declineFrom(slug: string, groups: readonly number[]): Promise<void> {
  await Promise.all(groups.map(async (group) => decline(await world.buyer(slug, { group }))));
}

const numbered = (length: number, groupOf: (number: number) => number) =>
  Array.from({ length }, (_, number) => groupOf(number));

test('a /56 may have nine declines, a /48 27, without payments', async () => {
  const link = await world.newLink(world.shop());
  await (await world.buyer(link.slug, { group: networkOf(40) + 1 })).byCard();
  await tryOut(link.slug);
  const inOwn48 = (wide: number) => (number: number) => networkOf(wide) + number * 256 + number;
  for (let i = 0; i < 7; i += 1)
    await (await world.buyer(link.slug, { group: inOwn48(41)(100 + i) })).byCard();

  await declineFrom(link.slug, numbered(27, inOwn48(40)));
  await declineFrom(link.slug, numbered(28, inOwn48(41)));
  await declineFrom(
    link.slug,
    numbered(9, (number) => networkOf(42) + number),
  );
  const formFrom = async (group: number) => (await world.buyer(link.slug, { group })).openForm();

  expect((await formFrom(inOwn48(40)(120))).error?.code).toBe('CARDS_PAUSED');
  expect((await formFrom(networkOf(42) + 120)).error?.code).toBe('CARDS_PAUSED');
  const open = [networkOf(40) + 1, inOwn48(41)(120), inOwn48(42)(120), networkOf(43)];
  for (const group of open) expect((await formFrom(group)).status).toBe(200);
});

test('networks without payments share 200 declines; a paying network continues', async () => {
  const link = await world.newLink(world.shop());
  const payingNetwork = networkOf(50);
  await (await world.buyer(link.slug, { group: payingNetwork })).byCard();
  await tryOut(link.slug);
  for (const first of [100, 140, 180]) {
    const groups = numbered(first === 180 ? 39 : 40, (number) => networkOf(first + number));
    await declineFrom(link.slug, groups);
  }
  const early = await (await world.buyer(link.slug, { group: networkOf(51) })).openForm();
  await declineFrom(link.slug, [networkOf(52)]);

  const late = await (await world.buyer(link.slug, { group: networkOf(51) })).openForm();
  const paid = await (await world.buyer(link.slug, { group: payingNetwork })).byCard();

  expect([early.status, late.error?.code]).toEqual([200, 'CARDS_PAUSED']);
  expect(paid.data).toMatchObject({ state: 'PAID' });
});
