import { expect } from '@jest/globals';
import { api, type ChargeView } from '@plataforma/contracts';
import type { MerchantSnapshot } from '@plataforma/events';
import type { Tenant } from '@plataforma/kernel';
import { type Behaviour, type Blocked, blocking, doneThenReset, eventually } from '@plataforma/testing';
import { shareWorld } from '@plataforma/testing/world';
import { z } from 'zod';
import type { Card, CardPayment } from './acquirer-book.ts';
import { type Answered, CALLBACK_SECRET, type Client, newOrder } from './client.ts';
import { ACCOUNT, type FakeAcquirer, startFakeAcquirer } from './fake-acquirer.ts';
import { anonymousHeader, newTenant } from './identity.ts';
import { resetFakes, startWorld, type World, type WorldOptions } from './world.ts';

export interface CardWorld extends World {
  acquirer: FakeAcquirer;
  /** Makes a merchant that is allowed to charge cards. */
  newShop(traits?: Partial<MerchantSnapshot>, environment?: Tenant['environment']): Tenant;
  newCard(traits?: Partial<Card>): Card;
  /** Returns a new order with an unused token of the card. */
  orderWith(card: Card, changes?: Record<string, unknown>): Record<string, unknown>;
  /** Returns the given order with an unused token of this card. */
  withCard(order: Record<string, unknown>, card: Card): Record<string, unknown>;
  /** Returns a merchant, a card, and an order with that card. */
  ordered(traits?: Partial<Card>): Pick<Unanswered, 'shop' | 'card' | 'order'>;
  paidCharge(shop: Tenant, changes?: Record<string, unknown>): Promise<PaidCharge>;
  /** Makes a charge whose cardholder contests a part of it at the acquirer. */
  contestedCharge(chargeback?: Chargeback): Promise<{ shop: Tenant; charge: PaidCharge }>;
  disputesOf(shop: Tenant): Promise<unknown>;
  /** Sends an order that the acquirer answers with a fault, so that the caller gets no outcome. */
  unanswered(traits?: Partial<Card>, fault?: Behaviour, client?: Client): Promise<Unanswered>;
  /** Sends an order to the acquirer. The acquirer's answer waits until the test releases it. */
  paying(traits?: Partial<Card>, blocked?: Blocked): Promise<Paying>;
  /** Pays for this externalId again, with another card. */
  payAnew(shop: Tenant, externalId: unknown, changes?: Record<string, unknown>): Promise<Answered>;
  /** Waits until the scheduler has ended an attempt that never reached the acquirer. */
  neverArrives(externalId: unknown): Promise<void>;
  /** Waits until the attempts with this externalId have the expected fields. */
  become(externalId: unknown, ...expected: Record<string, unknown>[]): Promise<void>;
  /** Moves the attempts of an order into the past, so that the scheduler checks them next. */
  letPass(externalId: unknown, seconds: number): Promise<void>;
  /**
   * Moves ended attempts of an order into the past, if the scheduler still checks them for a late payment.
   */
  letPassWatched(externalId: unknown, seconds?: number): Promise<void>;
  /** Posts the acquirer’s callback about one of the acquirer's charges. */
  notify(acquirerId: string, body?: Record<string, unknown>, client?: Client): Promise<Answered>;
}

type PaidCharge = ChargeView & { acquirerId: string };

interface Unanswered {
  shop: Tenant;
  card: Card;
  order: Record<string, unknown>;
  externalId: unknown;
  id: string;
  payment: CardPayment | undefined;
}

interface Paying extends Pick<Unanswered, 'shop' | 'card' | 'order'> {
  answer: Promise<Answered>;
  release(): void;
}

interface Chargeback {
  amount: number;
  reason: string;
}

const LET_PASS = `
  UPDATE charges SET created_at = created_at - $2 * interval '1 second',
  next_check_at = now() - interval '1 s',
    lease_until = now() - interval '1 s'
  WHERE external_id = $1 AND status = 'PENDING'`;
const LET_PASS_WATCHED = `
  UPDATE charges SET created_at = created_at - $2 * interval '1 second',
  next_check_at = now() - interval '1 s',
    lease_until = now() - interval '1 s'
  WHERE external_id = $1 AND is_watched`;

export const sharedCardWorld = () =>
  shareWorld({ name: 'cards', start: () => startCardWorld({ isShared: true }), reset: resetCardFakes });

export async function resetCardFakes(world: CardWorld): Promise<void> {
  await resetFakes(world);
  world.acquirer.clear();
}

/** Starts a charges service with a fake card acquirer in both environments. */
export async function startCardWorld({ settings, ...options }: WorldOptions = {}): Promise<CardWorld> {
  const acquirer = await startFakeAcquirer();
  const world = await startWorld({
    ...options,
    settings: { ...cardSettings(acquirer), ...settings },
    fakes: { acquirer, ...options.fakes },
  });
  const { book } = acquirer;

  const orderWith = (card: Card, changes: Record<string, unknown> = {}) =>
    newOrder({ paymentMethod: 'CARD', cardToken: book.tokenize(card), ...changes });

  function newShop(
    traits: Partial<MerchantSnapshot> = {},
    environment: Tenant['environment'] = 'sandbox',
  ): Tenant {
    const shop = newTenant(environment);
    world.gateway.describe(shop.merchantId, { cardEnabled: true, ...traits });
    return shop;
  }

  async function paidCharge(shop: Tenant, changes?: Record<string, unknown>): Promise<PaidCharge> {
    const answer = await world.client.create(shop, orderWith(book.newCard(), changes));
    if (answer.status !== 201) throw new Error(`no charge was paid: ${JSON.stringify(answer)}`);
    const charge = api.createCharge.data.parse(answer.data);
    return { ...charge, acquirerId: book.ofOrder(charge.id)[0]?.id ?? '' };
  }

  function ordered(traits?: Partial<Card>) {
    const card = book.newCard(traits);
    return { shop: newShop(), card, order: orderWith(card) };
  }

  async function unanswered(traits?: Partial<Card>, fault: Behaviour = doneThenReset, client = world.client) {
    const { shop, card, order } = ordered(traits);
    acquirer.next('pay', fault);
    expect(await client.create(shop, order)).toMatchObject({ status: 503 });
    const { externalId } = order;
    const [attempt] = await world.attemptsOf(externalId);
    return { shop, card, order, externalId, id: attempt?.id ?? '', payment: book.ofCard(card)[0] };
  }

  const become: CardWorld['become'] = (externalId, ...expected) =>
    eventually(async () => expect(await world.attemptsOf(externalId)).toMatchObject(expected));
  async function letPass(externalId: unknown, seconds: number): Promise<void> {
    await world.database.query(LET_PASS, [externalId, seconds]);
  }

  return {
    ...world,
    acquirer,
    newShop,
    newCard: book.newCard,
    orderWith,
    paidCharge,
    async contestedCharge(chargeback = { amount: 1900, reason: 'FRAUD' }) {
      const shop = newShop();
      const charge = await paidCharge(shop);
      book.chargeBack(charge.acquirerId, chargeback);
      return { shop, charge };
    },
    async disputesOf(shop) {
      return (await world.call(shop, '/v1/disputes')).data;
    },
    withCard: (order, card) => ({ ...order, cardToken: book.tokenize(card) }),
    ordered,
    unanswered,
    async paying(traits, blocked = blocking()) {
      const { shop, card, order } = ordered(traits);
      acquirer.next('pay', blocked.behaviour);
      const answer = world.client.create(shop, order);
      await blocked.arrived;
      return { shop, card, order, answer, release: blocked.release };
    },
    payAnew: (shop, externalId, changes) =>
      world.client.create(shop, orderWith(book.newCard(), { externalId, ...changes })),
    async neverArrives(externalId) {
      await letPass(externalId, 121);
      await become(externalId, { status: 'DECLINED', decline_reason: 'not_processed' });
    },
    become,
    letPass,
    async letPassWatched(externalId, seconds = 0) {
      await world.database.query(LET_PASS_WATCHED, [externalId, seconds]);
    },
    notify: (acquirerId, body = { data: { id: acquirerId } }, client = world.client) =>
      client.send(`/callbacks/acquirer/${CALLBACK_SECRET}`, {
        method: 'POST',
        headers: anonymousHeader(),
        body,
      }),
  };
}

export const SANDBOX_CARDS_ONLY = {
  CARD_PRODUCTION_URL: null,
  CARD_PRODUCTION_SECRET_KEY: null,
  CARD_PRODUCTION_PUBLIC_KEY: null,
  CARD_PRODUCTION_TOKENIZE_URL: null,
};

const answered = z.looseObject({ charges: z.array(z.looseObject({})) });

/**
 * Returns a behaviour that answers an order as usual, except that the charge in the answer has these fields.
 */
export const chargeAnswering =
  (fields: Record<string, unknown>): Behaviour =>
  (perform) => {
    const reply = perform();
    if (typeof reply === 'string' || 'text' in reply) return reply;
    const { charges, ...rest } = answered.parse(reply.body);
    return { ...reply, body: { ...rest, charges: charges.map((each) => ({ ...each, ...fields })) } };
  };

export function cardSettings(acquirer: FakeAcquirer): Record<string, string> {
  return { ...accountAt(acquirer, 'CARD_SANDBOX'), ...accountAt(acquirer, 'CARD_PRODUCTION') };
}

function accountAt({ url }: FakeAcquirer, prefix: string): Record<string, string> {
  return {
    [`${prefix}_URL`]: `${url}/core/v5`,
    [`${prefix}_SECRET_KEY`]: ACCOUNT.secretKey,
    [`${prefix}_PUBLIC_KEY`]: ACCOUNT.publicKey,
    [`${prefix}_TOKENIZE_URL`]: ACCOUNT.tokenizeUrl,
  };
}
