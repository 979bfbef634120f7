import { api, type ChargeView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { type Answered, type CallerOptions, callerTo } from '@plataforma/testing/world';
import { z } from 'zod';
import { anonymousHeader, merchantHeader } from './identity.ts';

/** The card fields in an event of a Pix charge, which are all null. */
export const NO_CARD_NAMES = {
  ...{ installments: null, cardBrand: null, nsu: null, authorizationCode: null, acquirerId: null },
};

export type { Answered };

export const CALLBACK_SECRET = 'segredo-dos-avisos-do-pix';

export function newOrder(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    amount: 2500,
    externalId: `pedido-${newId()}`,
    payerName: 'Maria da Silva',
    payerDocument: '12345678909',
    ...changes,
  };
}

/** Returns the status of an answer. For a refusal, also returns its code. */
export async function codeOf(answering: Promise<Answered>) {
  const { status, error } = await answering;
  return [status, error?.code];
}

export type Client = ReturnType<typeof createClient>;

/** Creates a client that sends the gateway's calls and the provider's callbacks to one replica. */
export function createClient(url: string, options?: CallerOptions) {
  const send = callerTo(url, options);
  const create = (tenant: Tenant, body: unknown) =>
    send('/v1/charges', { method: 'POST', headers: merchantHeader(tenant), body });
  const read = (tenant: Tenant, id: string) =>
    send(`/v1/charges/${id}`, { method: 'GET', headers: merchantHeader(tenant) });

  return {
    send,
    create,
    read,
    async newCharge(tenant: Tenant, changes: Record<string, unknown> = {}): Promise<ChargeView> {
      const answer = await create(tenant, newOrder(changes));
      if (answer.status !== 201) throw new Error(`no charge was created: ${JSON.stringify(answer)}`);
      return api.createCharge.data.parse(answer.data);
    },
    async charge(tenant: Tenant, id: string): Promise<ChargeView> {
      return api.getCharge.data.parse((await read(tenant, id)).data);
    },
    list: (tenant: Tenant, query = '') =>
      send(`/v1/charges${query}`, { method: 'GET', headers: merchantHeader(tenant) }),
    /** Returns the ids of all charges that match a query, and checks the total of the list. */
    async found(tenant: Tenant, query: Record<string, string>): Promise<string[]> {
      const path = `/v1/charges?${new URLSearchParams(query)}`;
      const { data, meta } = await send(path, { method: 'GET', headers: merchantHeader(tenant) });
      const ids = z
        .array(api.listCharges.data)
        .parse(data)
        .map(({ id }) => id);
      if (meta?.total !== ids.length) throw new Error(`${meta?.total} were counted of ${ids.length}`);
      return ids;
    },
    cancel: (tenant: Tenant, id: string) =>
      send(`/v1/charges/${id}`, { method: 'DELETE', headers: merchantHeader(tenant) }),
    simulate: (tenant: Tenant, id: string) =>
      send(`/v1/charges/${id}/simulate-payment`, { method: 'POST', headers: merchantHeader(tenant) }),
    payInSandbox: (tenant: Tenant, id: string, body: object = {}) =>
      send(`/v1/sandbox/charges/${id}/pay`, { method: 'POST', headers: merchantHeader(tenant), body }),
    checkout: (id: string) =>
      send(`/v1/charges/${id}/checkout`, { method: 'GET', headers: anonymousHeader() }),
    /** Posts a provider's callback about paid charges. */
    notify: (...txids: unknown[]) =>
      send(`/callbacks/pix/${CALLBACK_SECRET}`, {
        method: 'POST',
        headers: anonymousHeader(),
        body: { pix: txids.map((txid) => ({ txid, endToEndId: 'E1', valor: '0.01', horario: '' })) },
      }),
  };
}
