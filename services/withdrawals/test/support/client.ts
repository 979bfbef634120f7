import { api, type WithdrawalView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
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

interface Message {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** An order any merchant could send, to a key nobody has been paid at. */
export function newOrder(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { amount: 15_000, pixKey: newId(), pixKeyType: 'EVP', ...changes };
}

export type Client = ReturnType<typeof createClient>;

/** The calls the gateway would forward, and the provider's notices, to one replica of the service. */
export function createClient(url: string) {
  async function send(path: string, { method, headers, body }: Message): Promise<Answered> {
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, ...envelope.parse(await answer.json()) };
  }

  const create = (tenant: Tenant, body: unknown, key?: string) =>
    send('/v1/withdrawals', {
      method: 'POST',
      headers: { ...headersFor(tenant), ...(key === undefined ? {} : { 'idempotency-key': key }) },
      body,
    });
  const read = (tenant: Tenant, id: string) =>
    send(`/v1/withdrawals/${id}`, { method: 'GET', headers: headersFor(tenant) });
  const decide = (id: string, step: string, { operatorId, body }: { operatorId: string; body?: unknown }) =>
    send(`/v1/admin/withdrawals/${id}/${step}`, {
      method: 'POST',
      headers: operatorHeader(operatorId),
      ...(body === undefined ? {} : { body }),
    });

  return {
    send,
    create,
    read,
    async newWithdrawal(tenant: Tenant, changes: Record<string, unknown> = {}): Promise<WithdrawalView> {
      const answer = await create(tenant, newOrder(changes));
      if (answer.status !== 201) throw new Error(`no withdrawal was created: ${JSON.stringify(answer)}`);
      return api.createWithdrawal.data.parse(answer.data);
    },
    async withdrawal(tenant: Tenant, id: string): Promise<WithdrawalView> {
      return api.getWithdrawal.data.parse((await read(tenant, id)).data);
    },
    list: (tenant: Tenant, query = '') =>
      send(`/v1/withdrawals${query}`, { method: 'GET', headers: headersFor(tenant) }),
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
