import { api } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { cardSettings } from './card-world.ts';
import { type Answered, newOrder } from './client.ts';
import { type FakeAcquirer, startFakeAcquirer } from './fake-acquirer.ts';
import { merchantHeader, newTenant } from './identity.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';

export interface Refundable {
  tenant: Tenant;
  id: string;
  refund(): Promise<Answered>;
  /** Returns the number of refund orders that the provider has received. */
  orders(): number;
}

export interface StopWorld extends RefundWorld {
  acquirer: FakeAcquirer;
  newShop(): Tenant;
  orderBy(method: Method, changes?: Record<string, unknown>): Record<string, unknown>;
  create(tenant: Tenant, order: unknown, key?: string): Promise<Answered>;
  paidBy(method: Method, tenant?: Tenant): Promise<Refundable>;
  /** Postpones all work of a merchant so far that only the end of a stop makes the work due. */
  putFarOff(tenant: Tenant): Promise<void>;
}

export type Method = 'PIX' | 'CARD';

/** Each payment method, and the name of its provider in a stop. */
export const methods: [Method, string][] = [
  ['PIX', 'pix'],
  ['CARD', 'card'],
];

/** The scopes that a stop may have, and the fields with which an operator orders the stop. */
export const scopes: [string, (tenant: Tenant, provider: string) => Record<string, unknown>][] = [
  ['all merchants', () => ({})],
  ['one provider', (_tenant, provider) => ({ provider })],
  ['one merchant', ({ merchantId }) => ({ merchantId })],
];

/** The scopes of stops that do not apply to this provider and merchant. */
export const scopesOfOthers: [string, (provider: string) => Record<string, unknown>][] = [
  ['another merchant', () => ({ merchantId: newId() })],
  ['another provider', (provider) => ({ provider: provider === 'pix' ? 'card' : 'pix' })],
];

const FAR_OFF = ['charges', 'refunds', 'unexpected_payments'].map(
  (table) => `UPDATE ${table} SET next_check_at = now() + interval '1 hour' WHERE merchant_id = $1`,
);

/** Starts a charges service with a fake Pix provider, card acquirer and ledger. */
export async function startStopWorld(settings: Record<string, string> = {}): Promise<StopWorld> {
  const acquirer = await startFakeAcquirer();
  const all = { ...cardSettings(acquirer), ...settings };
  const world = await startRefundWorld({ settings: all, fakes: { acquirer } });
  const { client, gateway, provider, database } = world;

  function newShop(): Tenant {
    const shop = newTenant();
    gateway.describe(shop.merchantId, { cardEnabled: true });
    return shop;
  }
  const orderBy: StopWorld['orderBy'] = (method, changes = {}) => {
    if (method === 'PIX') return newOrder(changes);
    const cardToken = acquirer.book.tokenize(acquirer.book.newCard());
    return newOrder({ paymentMethod: 'CARD', cardToken, ...changes });
  };
  const create: StopWorld['create'] = (tenant, body, key) =>
    client.send('/v1/charges', {
      method: 'POST',
      headers: { ...merchantHeader(tenant), ...(key === undefined ? {} : { 'idempotency-key': key }) },
      body,
    });

  return {
    ...world,
    acquirer,
    newShop,
    orderBy,
    create,
    async paidBy(method, tenant = newShop()) {
      if (method === 'PIX') {
        const { id, pix, refund } = await world.paidCharge({}, { tenant });
        return {
          tenant,
          id,
          refund: () => refund(),
          orders: () => provider.requestsFor(pix, 'refund').length,
        };
      }
      const { id } = api.createCharge.data.parse((await create(tenant, orderBy('CARD'))).data);
      const acquirerId = acquirer.book.ofOrder(id)[0]?.id ?? '';
      return {
        ...{ tenant, id },
        refund: () => world.call(tenant, `/v1/charges/${id}/refund`, {}),
        orders: () => acquirer.requestsFor(acquirerId, 'cancel').length,
      };
    },
    async putFarOff({ merchantId }) {
      for (const sql of FAR_OFF) await database.query(sql, [merchantId]);
    },
  };
}
