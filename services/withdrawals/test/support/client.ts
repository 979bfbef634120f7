import { api, type Scope, type WithdrawalView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import {
  type CallerOptions,
  callerTo,
  type Message as PlainMessage,
  repeatWhileUndone,
} from '@plataforma/testing/world';
import { anonymousHeader, merchantHeader, operatorHeader, orderHeader } from './identity.ts';

export type { Answered } from '@plataforma/testing/world';

export const CALLBACK_SECRET = 'segredo-dos-avisos-de-envio';

export interface Message extends PlainMessage {
  scopes?: Scope[];
}

/** Returns a function that sends a merchant's request with the headers that the gateway adds. */
export function callerOf(url: string, options?: CallerOptions) {
  const send = callerTo(url, options);
  return (tenant: Tenant, path: string, { scopes, headers, ...message }: Message = {}) => {
    const order = message.method === 'POST' ? orderHeader({ path, tenant, body: message.body }) : {};
    return send(path, { ...message, headers: { ...merchantHeader(tenant, scopes), ...order, ...headers } });
  };
}

interface Decision {
  operatorId: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Returns an operator's decision with the headers that the gateway adds. */
export function decisionOf(path: string, { operatorId, body, headers }: Decision): PlainMessage {
  const order = orderHeader({ path, actor: `operator:${operatorId}`, body });
  return {
    method: 'POST',
    headers: { ...operatorHeader({ operatorId }), ...order, ...headers },
    ...(body === undefined ? {} : { body }),
  };
}

export type Call = ReturnType<typeof callerOf>;

/** Returns the body of a valid request for a withdrawal. The default Pix key is random and therefore new. */
export function newOrder(changes: Record<string, unknown> = {}): Record<string, unknown> {
  if ('destinationId' in changes) return { amount: 15_000, ...changes };
  return { amount: 15_000, pixKey: newId(), pixKeyType: 'EVP', ...changes };
}

export type Client = ReturnType<typeof createClient>;

/** Returns functions that send the requests of the gateway and of the provider to one replica. */
export function createClient(url: string, options?: CallerOptions) {
  const send = callerTo(url, options);
  const call = callerOf(url, options);
  const create = (tenant: Tenant, body: unknown, key?: string) =>
    call(tenant, '/v1/withdrawals', {
      method: 'POST',
      headers: key === undefined ? {} : { 'idempotency-key': key },
      body,
    });
  const list = (tenant: Tenant, query = '') => call(tenant, `/v1/withdrawals${query}`);
  const read = (tenant: Tenant, id: string) => call(tenant, `/v1/withdrawals/${id}`);
  const decide = (id: string, step: string, decision: Decision) => {
    const path = `/v1/admin/withdrawals/${id}/${step}`;
    return send(path, decisionOf(path, decision));
  };

  return {
    send,
    call,
    create,
    read,
    async newWithdrawal(tenant: Tenant, changes: Record<string, unknown> = {}): Promise<WithdrawalView> {
      const order = newOrder(changes);
      // Repeat the request after a 503. On a busy machine the lease can expire during a creation, and the
      // scheduler then abandons the creation.
      const answer = await repeatWhileUndone(
        () => create(tenant, order),
        ({ status }) => status === 503,
      );
      if (answer.status !== 201) throw new Error(`no withdrawal was created: ${JSON.stringify(answer)}`);
      return api.createWithdrawal.data.parse(answer.data);
    },
    async withdrawal(tenant: Tenant, id: string): Promise<WithdrawalView> {
      return api.getWithdrawal.data.parse((await read(tenant, id)).data);
    },
    cancel: (tenant: Tenant, id: string) => call(tenant, `/v1/withdrawals/${id}`, { method: 'DELETE' }),
    list,
    async listed(tenant: Tenant, query = '') {
      const { data, meta } = await list(tenant, query);
      return {
        ids: api.listWithdrawals.data
          .array()
          .parse(data)
          .map(({ id }) => id),
        meta,
      };
    },
    approve: (id: string, operatorId: string) => decide(id, 'approve', { operatorId }),
    reject: (id: string, operatorId: string, reason = 'O favorecido não confere.') =>
      decide(id, 'reject', { operatorId, body: { reason } }),
    complete: (id: string, operatorId: string, providerTxId = 'TED-1') =>
      decide(id, 'complete', { operatorId, body: { providerTxId } }),
    fail: (id: string, operatorId: string, reason = 'Conta inexistente.') =>
      decide(id, 'fail', { operatorId, body: { reason, bankReference: 'DEV-1' } }),
    asOperator: (path: string) =>
      send(`/v1/admin${path}`, { method: 'GET', headers: operatorHeader({ role: 'SUPPORT' }) }),
    /** Sends the provider's callback for these withdrawals. */
    notify: (...ids: string[]) =>
      send(`/callbacks/payouts/${CALLBACK_SECRET}`, {
        method: 'POST',
        headers: anonymousHeader(),
        body: {
          pix: ids.map((id) => ({ tipo: 'SOLICITACAO', gnExtras: { idEnvio: id.replaceAll('-', '') } })),
        },
      }),
  };
}
