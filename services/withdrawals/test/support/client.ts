import { api, type Scope, type WithdrawalView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import { anonymousHeader, headersFor, operatorHeader } from './identity.ts';

export const CALLBACK_SECRET = 'segredo-dos-avisos-de-envio';

const envelope = z.object({
  success: z.boolean(),
  data: z.unknown().optional(),
  meta: z.unknown().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export interface Answered extends z.infer<typeof envelope> {
  status: number;
  headers: Headers;
}

interface Sent {
  method: string;
  headers: Record<string, string>;
  /** Text as it is, anything else as JSON. */
  body?: unknown;
}

/** What may differ in a merchant's call; a GET without a body when nothing is said. */
export interface Message extends Partial<Sent> {
  scopes?: Scope[];
}

/** Sends to one replica of the service. */
function senderTo(url: string) {
  return async (path: string, { method, headers, body }: Sent): Promise<Answered> => {
    const answer = await fetch(url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, ...envelope.parse(await answer.json()) };
  };
}

/** A merchant's calls to a server, as the gateway forwards them. */
export function callerOf(url: string) {
  const send = senderTo(url);
  return (tenant: Tenant, path: string, { method = 'GET', scopes, headers, body }: Message = {}) =>
    send(path, { method, headers: { ...headersFor(tenant, scopes), ...headers }, body });
}

export type Call = ReturnType<typeof callerOf>;

/** Sends again what was answered with 503: nothing was done, as where a busy gateway does not know the merchant in time. */
export function untilTaken(send: () => Promise<Answered>): Promise<Answered> {
  return eventually(async () => {
    const answer = await send();
    if (answer.status === 503) throw new Error(`not taken: ${JSON.stringify(answer.error)}`);
    return answer;
  });
}

/** An order any merchant could send, to a key nobody has been paid at unless it says where to. */
export function newOrder(changes: Record<string, unknown> = {}): Record<string, unknown> {
  if ('destinationId' in changes) return { amount: 15_000, ...changes };
  return { amount: 15_000, pixKey: newId(), pixKeyType: 'EVP', ...changes };
}

export type Client = ReturnType<typeof createClient>;

/** The calls the gateway would forward, and the provider's notices, to one replica of the service. */
export function createClient(url: string) {
  const send = senderTo(url);
  const call = callerOf(url);
  const create = (tenant: Tenant, body: unknown, key?: string) =>
    call(tenant, '/v1/withdrawals', {
      method: 'POST',
      headers: key === undefined ? {} : { 'idempotency-key': key },
      body,
    });
  const read = (tenant: Tenant, id: string) => call(tenant, `/v1/withdrawals/${id}`);
  const decide = (id: string, step: string, { operatorId, body }: { operatorId: string; body?: unknown }) =>
    send(`/v1/admin/withdrawals/${id}/${step}`, {
      method: 'POST',
      headers: operatorHeader(operatorId),
      ...(body === undefined ? {} : { body }),
    });

  return {
    send,
    call,
    create,
    read,
    async newWithdrawal(tenant: Tenant, changes: Record<string, unknown> = {}): Promise<WithdrawalView> {
      const order = newOrder(changes);
      const answer = await untilTaken(() => create(tenant, order));
      if (answer.status !== 201) throw new Error(`no withdrawal was created: ${JSON.stringify(answer)}`);
      return api.createWithdrawal.data.parse(answer.data);
    },
    async withdrawal(tenant: Tenant, id: string): Promise<WithdrawalView> {
      return api.getWithdrawal.data.parse((await read(tenant, id)).data);
    },
    list: (tenant: Tenant, query = '') => call(tenant, `/v1/withdrawals${query}`),
    approve: (id: string, operatorId: string) => decide(id, 'approve', { operatorId }),
    reject: (id: string, operatorId: string, reason = 'O favorecido não confere.') =>
      decide(id, 'reject', { operatorId, body: { reason } }),
    complete: (id: string, operatorId: string, providerTxId = 'TED-1') =>
      decide(id, 'complete', { operatorId, body: { providerTxId } }),
    fail: (id: string, operatorId: string, reason = 'Conta inexistente.') =>
      decide(id, 'fail', { operatorId, body: { reason } }),
    /** What an operator reads. */
    asOperator: (path: string) =>
      send(`/v1/admin${path}`, { method: 'GET', headers: operatorHeader(newId(), 'SUPPORT') }),
    /** What the provider posts: which payouts have ended. */
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
