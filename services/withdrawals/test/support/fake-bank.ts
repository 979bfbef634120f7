import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { SANDBOX_MERCHANT } from '@plataforma/service';
import {
  createScript,
  honest,
  type Loopback,
  type Reply,
  type Script,
  sendReply,
  startLoopback,
} from '@plataforma/testing';
import { z } from 'zod';

export type Operation =
  | 'token'
  | 'order'
  | 'find'
  | 'recipient'
  | 'order-end'
  | 'provider-faults'
  | 'unknown';

export const CLIENT = { id: 'plataforma', secret: 'segredo-do-provedor', key: 'pagador@plataforma.test' };

interface Payout {
  id: string;
  valor: string;
  payeeKey: string;
  status: 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO' | 'DEVOLVIDO';
  motivo?: string;
  endToEndId: string;
}

interface Recorded {
  operation: Operation;
  /** The id of the payout. For the operation `provider-faults` it is the id of the merchant. */
  id: string;
  body: string;
  merchantId: string | undefined;
}

export interface FakeBank extends Loopback, Pick<Script<Operation>, 'next' | 'always'> {
  payouts: Payout[];
  requests: Recorded[];
  /** Requests that violate Efí's API. Each of them makes the test fail. */
  breaches: string[];
  end(id: string, status: Payout['status'], motivo?: string): void;
  /** Sets whether the bank pays each payout at once. The default is true. */
  paysAtOnce(isSo: boolean): void;
  /** The merchants with a provider fault that delays their payouts. */
  heldMerchants: Set<string>;
  payoutOf(withdrawalId: string): Payout | undefined;
  requestsFor(withdrawalId: string, operation: Operation): Recorded[];
  reset(): void;
}

const problem = (status: number, nome: string): Reply => ({ status, body: { nome, mensagem: 'não' } });

const order = z.strictObject({
  valor: z.string().regex(/^\d{1,10}\.\d{2}$/),
  pagador: z.strictObject({ chave: z.literal(CLIENT.key) }),
  favorecido: z.strictObject({ chave: z.string().min(1).max(77) }),
});

const orderedEnd = z.strictObject({ end: z.enum(['hold', 'complete', 'fail']) });
const statusBy = { hold: 'EM_PROCESSAMENTO', complete: 'REALIZADO', fail: 'NAO_REALIZADO' } as const;

/**
 * Starts a fake bank with Efí's API for sending Pix. It pays each id once. Requests to `/control` set how a
 * payout ends.
 */
export async function startFakeBank(): Promise<FakeBank> {
  const payouts: Payout[] = [];
  const requests: Recorded[] = [];
  const breaches: string[] = [];
  const script = createScript<Operation>();
  const ends = new Map<string, Payout['status']>();
  const heldMerchants = new Set<string>();
  let paysAtOnce = true;

  function take({ id, body }: Recorded): Reply {
    if (payouts.some((payout) => payout.id === id)) return problem(409, 'id_envio_duplicado');
    const { valor, favorecido } = order.parse(JSON.parse(body));
    const endToEndId = `E00000000${String(Date.now()).slice(-12)}${id.slice(-11)}`;
    const status = ends.get(id) ?? (paysAtOnce ? 'REALIZADO' : 'EM_PROCESSAMENTO');
    payouts.push({ id, valor, payeeKey: favorecido.chave, status, endToEndId });
    const horario = { solicitacao: new Date().toISOString() };
    return {
      status: 201,
      body: { idEnvio: id, e2eId: endToEndId, valor, horario, status: 'EM_PROCESSAMENTO' },
    };
  }

  function find({ id }: Recorded): Reply {
    const payout = payouts.find((each) => each.id === id);
    if (!payout) return problem(404, 'envio_nao_encontrado');
    const { payeeKey: chave, id: idEnvio, ...shown } = payout;
    const favorecido = { chave, identificacao: { nome: 'Titular da Chave', cpf: '***.456.789-**' } };
    return { status: 200, body: { idEnvio, chave: CLIENT.key, favorecido, ...shown } };
  }

  function findOwner({ body }: Recorded): Reply {
    const { chave } = z.strictObject({ chave: z.string().min(1).max(77) }).parse(JSON.parse(body));
    if (chave.startsWith('nobody')) return problem(404, 'chave_nao_encontrada');
    const titular = { nome: 'Titular da Chave', cpf: '***.456.789-**' };
    return { status: 200, body: { chave, titular, banco: { nome: 'Banco de Teste' } } };
  }

  function orderEnd({ id, body }: Recorded): Reply {
    const { end } = orderedEnd.parse(JSON.parse(body));
    const payout = payouts.find((payout) => payout.id === id);
    if (payout && payout.status !== 'EM_PROCESSAMENTO') {
      return { status: 409, body: { error: { message: 'the payout has ended already' } } };
    }
    ends.set(id, statusBy[end]);
    if (payout) payout.status = statusBy[end];
    return { status: 200, body: { idEnvio: id, end } };
  }

  function perform(request: Recorded): Reply {
    switch (request.operation) {
      case 'token':
        return { status: 200, body: { access_token: 'um-token', token_type: 'Bearer', expires_in: 3600 } };
      case 'order':
        return take(request);
      case 'find':
        return find(request);
      case 'recipient':
        return findOwner(request);
      case 'order-end':
        return orderEnd(request);
      case 'provider-faults':
        return { status: 200, body: { payout: heldMerchants.has(request.id) ? 'held' : 'ok' } };
      default:
        return problem(404, 'nao_encontrado');
    }
  }

  const server = await startLoopback(async (request, response) => {
    const merchantId = request.headers[SANDBOX_MERCHANT]?.toString();
    const recorded = { ...targetOf(request), body: await text(request), merchantId };
    const { operation } = recorded;
    requests.push(recorded);
    const isControl = operation === 'order-end' || operation === 'provider-faults';
    const isKnown = operation === 'token' || isControl || request.headers.authorization === 'Bearer um-token';
    if (operation === 'unknown' || !isKnown) breaches.push(`${request.method} ${request.url}`);
    const behaviour = script.take(operation) ?? honest;
    const performed = async () => behaviour(() => perform(recorded));
    const reply = await performed().catch((error): Reply => {
      breaches.push(`${operation}: ${error}`);
      return problem(400, 'requisicao_invalida');
    });
    sendReply(request, response, reply);
  });

  const payoutIdOf = (withdrawalId: string) => withdrawalId.replaceAll('-', '');
  return {
    ...server,
    payouts,
    requests,
    breaches,
    heldMerchants,
    next: script.next,
    always: script.always,
    end(id, status, motivo) {
      const payout = payouts.find((each) => each.id === payoutIdOf(id));
      if (!payout) throw new Error('no such payout');
      Object.assign(payout, { status, ...(motivo === undefined ? {} : { motivo }) });
    },
    paysAtOnce(isSo) {
      paysAtOnce = isSo;
    },
    payoutOf: (id) => payouts.find((payout) => payout.id === payoutIdOf(id)),
    requestsFor: (id, operation) =>
      requests.filter((request) => request.id === payoutIdOf(id) && request.operation === operation),
    reset() {
      script.clear();
      heldMerchants.clear();
      paysAtOnce = true;
    },
  };
}

function targetOf({ method, url = '' }: IncomingMessage): Pick<Recorded, 'operation' | 'id'> {
  const [, ordered] = /^\/v3\/gn\/pix\/([a-zA-Z0-9]{1,35})$/.exec(url) ?? [];
  const [, found] = /^\/v2\/gn\/pix\/enviados\/id-envio\/([a-zA-Z0-9]{1,35})$/.exec(url) ?? [];
  const [, ended] = /^\/control\/payouts\/([a-zA-Z0-9]{1,35})\/end$/.exec(url) ?? [];
  const [, merchant] = /^\/control\/weather\/([\da-f-]{36})$/.exec(url) ?? [];
  if (method === 'POST' && ended) return { operation: 'order-end', id: ended };
  if (method === 'POST' && url === '/v2/gn/pix/consulta-chave') return { operation: 'recipient', id: '' };
  if (method === 'GET' && merchant) return { operation: 'provider-faults', id: merchant };
  if (method === 'POST' && url === '/oauth/token') return { operation: 'token', id: '' };
  if (method === 'PUT' && ordered) return { operation: 'order', id: ordered };
  if (method === 'GET' && found) return { operation: 'find', id: found };
  return { operation: 'unknown', id: '' };
}
