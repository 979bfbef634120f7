import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import { CARD, tokenOf } from './bank.ts';
import type { Answer, Client } from './client.ts';
import { become, made, paidCharge, refuses, type Shop } from './contract-shop.ts';

const MARIA = { payerName: 'Maria da Silva', payerDocument: '12345678909' };
const JOAO = { payerName: 'João de Souza', payerDocument: '11144477735' };
/** An invalid card token, for requests that the platform refuses before it charges a card. */
const anyCard = { cardToken: 'token_qualquer', installments: 1 };

interface Link {
  path: string;
  slug: string;
}

async function newLink(merchant: Client, fields: object = {}): Promise<Link> {
  const body = { description: 'Pedido', amount: 2_500, ...fields };
  const { id, slug } = await made(merchant.post('/v1/payment-links', body));
  return { path: `/v1/payment-links/${id}`, slug: String(slug) };
}

const begin = (anyone: Client, { slug }: Link, payer: object = MARIA) =>
  anyone.post(`/v1/payment-links/${slug}/checkouts`, payer);

/** Begins a visit to a payment link, as a buyer, and returns the path of the visit. */
async function visit(anyone: Client, link: Link, payer?: object): Promise<string> {
  return `/v1/checkouts/${(await made(begin(anyone, link, payer))).id}`;
}

const ways = (anyone: Client, path: string): Promise<Answer>[] => [
  anyone.post(`${path}/pix`),
  anyone.post(`${path}/card-form`),
  anyone.post(`${path}/card`, anyCard),
];

async function allRefuse(code: Parameters<typeof refuses>[0], answers: Promise<Answer>[]): Promise<void> {
  await Promise.all(answers.map((one) => refuses(code, one)));
}

async function pageBecomes(anyone: Client, { slug }: Link, state: string): Promise<void> {
  const page = `/v1/payment-links/${slug}/page`;
  await eventually(async () => expect((await anyone.get(page)).data).toMatchObject({ state }));
}

/** Requests a Pix code in a visit to a payment link, and returns the path of the new charge. */
async function codeOf(anyone: Client, path: string): Promise<string> {
  await made(anyone.post(`${path}/pix`));
  const { charge } = await become(anyone, path, 'PIX');
  return `/v1/charges/${Object(charge).id}`;
}

const LOGO = `data:image/png;base64,${btoa('\u0089PNG\r\n\u001a\n')}`;

/** Creates links until the limit of logos is reached, and then tries one more logo. */
async function walkLogos(merchant: Client): Promise<void> {
  for (let links = 0; links < 100; links += 1) await newLink(merchant, { logo: LOGO });
  const { path } = await newLink(merchant);
  const body = { description: 'Pedido', amount: 2_500, logo: LOGO };
  await refuses('LOGO_LIMIT_REACHED', merchant.post('/v1/payment-links', body));
  await refuses('LOGO_LIMIT_REACHED', merchant.patch(path, { logo: LOGO }));
}

export async function walkLinks({ anyone, merchant }: Shop): Promise<void> {
  await Promise.all([
    walkPix(anyone, merchant),
    walkCards(anyone, merchant),
    walkUses(anyone, merchant),
    walkLogos(merchant),
    walkClosed(anyone, merchant),
    walkConflicts(anyone, merchant),
  ]);
  await walkLateCard(anyone, merchant);
}

async function walkPix(anyone: Client, merchant: Client): Promise<void> {
  const link = await newLink(merchant);
  await pageBecomes(anyone, link, 'OPEN');
  await become(merchant, link.path, 'ACTIVE');
  const [paid, disputed, ended, cancelled] = await Promise.all([
    visit(anyone, link),
    visit(anyone, link),
    visit(anyone, link),
    visit(anyone, link),
  ]);
  await become(anyone, paid, 'OPEN');
  const charge = await codeOf(anyone, paid);
  await made(merchant.post(`${charge}/simulate-payment`));
  await become(anyone, paid, 'PAID');
  await eventually(async () => void (await made(merchant.post(`${charge}/refund`, { amount: 100 }))));
  await become(anyone, paid, 'REFUNDED');

  const contested = await codeOf(anyone, disputed);
  await made(merchant.post(`${contested}/simulate-payment`));
  await made(merchant.post(`/v1/sandbox${contested.slice(3)}/dispute`, {}));
  await become(anyone, disputed, 'DISPUTED');

  const late = await codeOf(anyone, ended);
  await made(merchant.post(`/v1/sandbox${late.slice(3)}/pay`, { late: true }));
  await become(anyone, ended, 'CODE_ENDED');

  await made(merchant.delete(await codeOf(anyone, cancelled)));
  await become(anyone, cancelled, 'OPEN');
}

async function walkCards(anyone: Client, merchant: Client): Promise<void> {
  const path = await visit(anyone, await newLink(merchant));
  await made(anyone.post(`${path}/card-form`));
  await become(anyone, path, 'CARD_FORM');
  for (let declines = 0; declines < 5; declines += 1) {
    const cardToken = await tokenOf(merchant, CARD.insufficientFunds);
    await refuses('CARD_DECLINED', anyone.post(`${path}/card`, { cardToken, installments: 1 }));
  }
  await anyone.get(path);
  await refuses('CARD_TRIES_USED', anyone.post(`${path}/card-form`));
  await refuses('CARD_TRIES_USED', anyone.post(`${path}/card`, anyCard));
}

/**
 * No other test runs at the same time, because the card charge is unconfirmed only for seconds. If an answer
 * is late, the test tries another card.
 */
async function walkLateCard(anyone: Client, merchant: Client): Promise<void> {
  await eventually(async () => {
    const path = await visit(anyone, await newLink(merchant));
    const cardToken = await tokenOf(merchant, CARD.approvedTooLate);
    await refuses('PROVIDER_UNAVAILABLE', anyone.post(`${path}/card`, { cardToken, installments: 1 }));
    await become(anyone, path, 'PROCESSING');
    await refuses('PROVIDER_UNAVAILABLE', anyone.post(`${path}/card-form`));
    await refuses('PROVIDER_UNAVAILABLE', anyone.post(`${path}/pix`));
  });
}

async function walkUses(anyone: Client, merchant: Client): Promise<void> {
  const link = await newLink(merchant, { uses: 1 });
  const [mine, other] = [await visit(anyone, link), await visit(anyone, link, JOAO)];
  const charge = await codeOf(anyone, mine);
  await made(merchant.post(`${charge}/simulate-payment`));
  await allRefuse('NO_USES_LEFT', ways(anyone, other));
  await refuses('NO_USES_LEFT', begin(anyone, link, JOAO));
  await become(merchant, link.path, 'USED_UP');
  await pageBecomes(anyone, link, 'USED_UP');

  const twice = await newLink(merchant, { uses: 2 });
  for (const payer of [MARIA, JOAO]) {
    const paid = await codeOf(anyone, await visit(anyone, twice, payer));
    await made(merchant.post(`${paid}/simulate-payment`));
  }
  await refuses('INVALID_STATE', merchant.patch(twice.path, { uses: 1 }));
}

async function walkClosed(anyone: Client, merchant: Client): Promise<void> {
  const link = await newLink(merchant);
  const path = await visit(anyone, link);
  await made(merchant.patch(link.path, { isActive: false }));
  await allRefuse('LINK_NOT_OPEN', [...ways(anyone, path), begin(anyone, link)]);
  await become(merchant, link.path, 'INACTIVE');
  await pageBecomes(anyone, link, 'CLOSED');

  const ends = await newLink(merchant, { expiresAt: new Date(Date.now() + 2_000).toISOString() });
  await become(merchant, ends.path, 'EXPIRED');
  await pageBecomes(anyone, ends, 'EXPIRED');

  const byPix = await visit(anyone, await newLink(merchant, { methods: ['PIX'] }));
  const byCard = await visit(anyone, await newLink(merchant, { methods: ['CARD'] }));
  const [, ...cards] = ways(anyone, byPix);
  await allRefuse('INVALID_STATE', [anyone.post(`${byCard}/pix`), ...cards]);
}

async function walkConflicts(anyone: Client, merchant: Client): Promise<void> {
  const externalId = `pedido-${randomUUID()}`;
  await paidCharge(merchant, { externalId });
  const path = await visit(anyone, await newLink(merchant, { uses: 1, externalId }));
  await refuses('EXTERNAL_ID_CONFLICT', anyone.post(`${path}/pix`));
  const cardToken = await tokenOf(merchant, CARD.approved);
  await refuses('EXTERNAL_ID_CONFLICT', anyone.post(`${path}/card`, { cardToken, installments: 1 }));

  const id = randomUUID();
  await visit(anyone, await newLink(merchant), { ...MARIA, id });
  await refuses('IDEMPOTENCY_CONFLICT', begin(anyone, await newLink(merchant), { ...MARIA, id }));
}
