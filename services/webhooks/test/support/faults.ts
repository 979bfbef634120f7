import { createHmac } from 'node:crypto';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { type Delivery, eventually, type FakeMerchant } from '@plataforma/testing';
import type { Called } from './calls.ts';
import { disputeOpened, disputeResolved } from './emitter.ts';
import { merchantHeader, newTenant } from './identity.ts';
import type { World } from './world.ts';

const PATH = '/v1/sandbox/webhook-faults';

export interface FaultRequest {
  kind: string;
  count?: number;
}

/** Returns functions that send merchants' requests about faults as the gateway forwards them. */
export function faultCalls(world: Pick<World, 'client'>) {
  async function call(tenant: Tenant, line: string, { body, key }: { body?: unknown; key?: string } = {}) {
    const [method = '', path = ''] = line.split(' ');
    const keyed = key === undefined ? {} : { 'idempotency-key': key };
    const headers = { ...merchantHeader(tenant), ...keyed };
    const message = { method, headers, body };
    const { status, headers: answered, ...json } = await world.client(PATH + path, message);
    return { status, json, isReplay: answered.get('idempotency-replayed') === 'true' } satisfies Called;
  }
  return {
    call,
    ask: (tenant: Tenant, configId: string, request: FaultRequest) =>
      call(tenant, 'POST ', { body: { webhookId: configId, ...request } }),
    async left(tenant: Tenant) {
      const { json } = await call(tenant, 'GET ');
      return api.listWebhookFaults.data.array().parse(json.data);
    },
  };
}

/** Creates a sandbox merchant with one webhook, for which these faults are requested. */
export async function faultedShop(world: World, faults: readonly FaultRequest[]) {
  const shop = await world.startMerchant();
  const tenant = newTenant();
  const { id, secret } = await world.configure(tenant, { url: shop.url });
  for (const fault of faults) await faultCalls(world).ask(tenant, id, fault);
  return { shop, tenant, configId: id, secret };
}

/** Returns two events of one dispute: opened, then resolved. */
export function disputed(tenant: Tenant) {
  const end = disputeResolved(tenant, 'CANCELLED');
  const opened = disputeOpened(tenant);
  const beginning = { ...opened, aggregateId: end.aggregateId, data: { ...opened.data, id: end.data.id } };
  return { objectId: end.aggregateId, beginning, end };
}

/** Returns whether a delivery is signed with this secret. */
export function isGenuine({ headers, body }: Delivery, secret: string): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return headers['x-webhook-signature'] === expected;
}

/**
 * Waits until no delivery of the merchant is pending. Returns all deliveries with their attempts, oldest
 * first.
 */
export function settledStories({ client }: Pick<World, 'client'>, tenant: Tenant, count: number) {
  const read = async (path: string) => {
    const { data } = await client(`/v1/webhook-deliveries${path}`, { headers: merchantHeader(tenant) });
    return data;
  };
  return eventually(async () => {
    const listed = api.listWebhookDeliveries.data.array().parse(await read('?limit=100'));
    const isOver = listed.length === count && listed.every(({ status }) => status !== 'PENDING');
    if (!isOver) throw new Error(`not all ${count} deliveries are over: ${JSON.stringify(listed)}`);
    const stories = await Promise.all(listed.map(({ id }) => read(`/${id}`)));
    return api.getWebhookDelivery.data.array().parse(stories.reverse());
  });
}

export const idsAt = ({ deliveries }: FakeMerchant) =>
  deliveries.map(({ headers }) => headers['x-webhook-id']);
