import { expect } from '@jest/globals';
import { api, type PaymentLinkView, type VisitView } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { eventually, PNG } from '@plataforma/testing';
import { shareWorld } from '@plataforma/testing/world';
import type { Card } from './acquirer-book.ts';
import { type CardWorld, resetCardFakes, startCardWorld } from './card-world.ts';
import { type Answered, type Client, newOrder } from './client.ts';
import { anonymousHeader, merchantHeader } from './identity.ts';
import type { WorldOptions } from './world.ts';

export interface Buyer {
  id: string;
  now(): Promise<VisitView>;
  byPix(client?: Client): Promise<Answered>;
  openForm(client?: Client): Promise<Answered>;
  byCard(card?: Card, changes?: Record<string, unknown>, client?: Client): Promise<Answered>;
  /**
   * Returns the same visit. Its requests for card forms and card payments come from the network with the
   * number `group`.
   */
  from(group: number): Buyer;
  /** Pays the code that the visit shows, and posts the provider's callback about it. */
  payCode(): Promise<void>;
  /** Lets the visit's Pix code expire, and waits until the code has ended. */
  endCode(): Promise<void>;
  txid(): Promise<string>;
}

interface Visited {
  shop: Tenant;
  link: PaymentLinkView;
  buyer: Buyer;
  counts(): Promise<Pick<PaymentLinkView, 'usesTaken' | 'payments'>>;
  statuses(): Promise<string[]>;
}

type Changes = Record<string, unknown> & { group?: number };

export interface CheckoutWorld extends CardWorld {
  shop(): Tenant;
  callAs(tenant: Tenant, line: string, body?: unknown): Promise<Answered>;
  newLink(tenant: Tenant, fields?: Record<string, unknown>): Promise<PaymentLinkView>;
  link(tenant: Tenant, id: string): Promise<PaymentLinkView>;
  page(slug: string, query?: string): Promise<Answered>;
  /** Begins a visit. `changes.group` is the number of the buyer's IP network. */
  visit(slug: string, changes?: Changes, client?: Client): Promise<Answered>;
  buyer(slug: string, changes?: Changes): Promise<Buyer>;
  /** Makes a new link, and begins a buyer's visit to it. */
  visited(fields?: Record<string, unknown>): Promise<Visited>;
  buyerOf(data: unknown): Buyer;
  documentOf(number: number): string;
  /** Moves the end of a visit's card form into the past. */
  closeForm(id: string): Promise<void>;
  chargesOf(linkId: string): Promise<{ id: string; status: string; checkout_id: string; txid: string }[]>;
}

export const LOGO = `data:image/png;base64,${PNG.toString('base64')}`;

const visitOf = (answer: Answered): VisitView => api.getCheckoutVisit.data.parse(answer.data);

export const sharedCheckoutWorld = () =>
  shareWorld({
    name: 'checkouts',
    start: () => startCheckoutWorld({ isShared: true }),
    reset: resetCardFakes,
  });

export async function startCheckoutWorld(options: WorldOptions = {}): Promise<CheckoutWorld> {
  const world = await startCardWorld({
    ...options,
    settings: { PUBLIC_CHECKOUT_URL: 'https://pagar.example', ...options.settings },
  });
  const { client, acquirer } = world;

  const callAs = (tenant: Tenant, line: string, body?: unknown) => {
    const [method = '', path = ''] = line.split(' ');
    return client.send(path, { method, headers: merchantHeader(tenant), ...(body ? { body } : {}) });
  };
  const asBuyer = (line: string, body?: unknown, at = client, group?: number) => {
    const [method = '', path = ''] = line.split(' ');
    return at.send(path, { method, headers: anonymousHeader(group), ...(body ? { body } : {}) });
  };
  const visit: CheckoutWorld['visit'] = (slug, { group, ...changes } = {}, at = client) => {
    const { payerName, payerDocument } = newOrder();
    const body = { payerName, payerDocument, ...changes };
    return asBuyer(`POST /v1/payment-links/${slug}/checkouts`, body, at, group);
  };

  function buyerOf(id: string, group?: number): Buyer {
    const now = async () => visitOf(await asBuyer(`GET /v1/checkouts/${id}`));
    const txid = async () => ((await now()).charge?.id ?? '').replaceAll('-', '');
    return {
      id,
      now,
      txid,
      byPix: (at) => asBuyer(`POST /v1/checkouts/${id}/pix`, undefined, at),
      openForm: (at) => asBuyer(`POST /v1/checkouts/${id}/card-form`, undefined, at, group),
      byCard: (card = world.newCard(), changes = {}, at = client) =>
        asBuyer(
          `POST /v1/checkouts/${id}/card`,
          { cardToken: acquirer.book.tokenize(card), ...changes },
          at,
          group,
        ),
      from: (network) => buyerOf(id, network),
      async endCode() {
        await world.letTimeRunOut((await now()).charge?.id ?? '');
        await eventually(async () => expect(await now()).toMatchObject({ state: 'CODE_ENDED' }));
      },
      async payCode() {
        world.provider.book.pay(await txid());
        await client.notify(await txid());
      },
    };
  }

  const newLink: CheckoutWorld['newLink'] = async (tenant, fields = {}) => {
    const link = { description: 'Pedido 1001', amount: 2500, ...fields };
    // The service on a busy machine may answer 503. The same request may then be repeated.
    const answer = await eventually(async () => {
      const made = await callAs(tenant, 'POST /v1/payment-links', link);
      if (made.status === 503) throw new Error('the service is busy');
      return made;
    });
    if (answer.status !== 201) throw new Error(`no link was made: ${JSON.stringify(answer)}`);
    return api.createPaymentLink.data.parse(answer.data);
  };
  const linkOf: CheckoutWorld['link'] = async (tenant, id) =>
    api.getPaymentLink.data.parse((await callAs(tenant, `GET /v1/payment-links/${id}`)).data);
  const buyer: CheckoutWorld['buyer'] = async (slug, changes) => {
    const answer = await visit(slug, changes);
    if (answer.status > 201) throw new Error(`no visit was begun: ${JSON.stringify(answer)}`);
    return buyerOf(visitOf(answer).id);
  };
  const chargesOf: CheckoutWorld['chargesOf'] = (linkId) =>
    world.database.query(
      'SELECT id, status, checkout_id, txid FROM charges WHERE payment_link_id = $1 ORDER BY created_at',
      [linkId],
    );
  const visited: CheckoutWorld['visited'] = async (fields = { uses: 1 }) => {
    const shop = world.newShop();
    const link = await newLink(shop, fields);
    const counts = async () => {
      const { usesTaken, payments } = await linkOf(shop, link.id);
      return { usesTaken, payments };
    };
    const statuses = async () => (await chargesOf(link.id)).map(({ status }) => status);
    return { shop, link, buyer: await buyer(link.slug), counts, statuses };
  };

  return {
    ...world,
    shop: () => world.newShop(),
    callAs,
    newLink,
    link: linkOf,
    page: (slug, query = '') => asBuyer(`GET /v1/payment-links/${slug}/page${query}`),
    visit,
    buyer,
    visited,
    buyerOf: (data) => buyerOf(api.getCheckoutVisit.data.parse(data).id),
    documentOf: (number) => `${10_000_000_000 + number}`,
    async closeForm(id) {
      await world.database.query(
        `UPDATE checkouts SET card_form_until = now() - interval '1 s', due_at = now() - interval '1 s'
          WHERE id = $1`,
        [id],
      );
    },
    chargesOf,
  };
}
